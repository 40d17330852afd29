"""How kernels of a CUDA device are compiled: when they are first called, in every process again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast

from numba import cuda

if TYPE_CHECKING:
    from collections.abc import Callable

    Function = TypeVar("Function", bound=Callable[..., object])


def device_function(function: Function) -> Function:
    """Compile a function that kernels call on the device."""
    return cast("Function", cuda.jit(device=True)(function))


def device_kernel(function: Callable[..., None]) -> Any:  # noqa: ANN401 (numba's)
    """Compile a kernel; it is launched as `kernel[grid, block, stream, shared_bytes](...)`."""
    return cuda.jit(function)
