"""How kernels are compiled: without the interpreter's lock, cached on disk where possible.

And the arrays that they are given, by the kind of their numbers.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from llvmlite.binding import parse_bitcode
from numba.core import cgutils, environment, event, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import intrinsic, overload, register_jitable
from numpy.typing import NDArray

from upcard.kernels import FOLDERS, SOURCES, stamp_sources
from upcard.kernels.compiling import CallbackGuard, CompilingNotice

if TYPE_CHECKING:
    from filelock import FileLock

    Function = TypeVar("Function", bound=Callable[..., object])

Bytes: TypeAlias = NDArray[np.uint8]
Integers: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]
Floats: TypeAlias = NDArray[np.float64]
Shorts: TypeAlias = NDArray[np.int16]


_LOOPS: Final = tuple(f"upcard/{name}/" for name in FOLDERS)


def kernel(function: Function) -> Function:
    """Compile a kernel when it is first called, and cache the machine code on disk.

    Cached code that was compiled from kernels that did something else is replaced.
    A read-only installation without any writable cache folder still works: then every process
    compiles again.
    """
    return _compile(function)


def lean_kernel(function: Function) -> Function:
    """Compile a kernel that makes no array: it counts no references to those that it is given.

    Counting takes some 50 ns a call, as long as a whole simulated round.
    """
    return _compile(function, _nrt=False)


def inner_kernel(function: Function) -> Function:
    """Compile a kernel as a part of those that call it; like `lean_kernel`, it makes no array.

    It has no entry for Python, which for tuples of many arrays takes longer to compile than the
    kernel itself. Called from Python, it is plain Python.
    """
    return _compile_within(function)


def inlined_kernel(function: Function) -> Function:
    """Compile a kernel into the code of those that call it, as an `inner_kernel` otherwise.

    A call passes every array in seven words, which takes longer than a small kernel itself.
    """
    return _compile_within(function, forceinline=True)


def _compile_within(function: Function, **options: Any) -> Function:
    decorate: Callable[[Function], Function]
    decorate = register_jitable(_nrt=False, no_cfunc_wrapper=True, **options)
    return decorate(function)


def _compile(function: Function, **options: Any) -> Function:
    try:
        compiled = numba.njit(nogil=True, cache=True, **options)(function)
        _stamp(compiled)
        _load_directly(compiled)
    except (
        RuntimeError,  # numba found no folder it may write to
        AttributeError,  # no cache, or one where stale code would not be noticed
    ):
        compiled = numba.njit(nogil=True, **options)(function)
    return cast("Function", compiled)


SHORTS: Final = 16
"""Numbers that `multiply_shorts` takes of each array."""


def multiply_shorts(one: Shorts, first: int, other: Shorts, start: int) -> int:
    """Return the sum of the products of 16 numbers of two arrays, from two places on.

    It fits 32 bits. Compiled, it is a few vector instructions: LLVM unrolls a loop of sixteen steps
    before it looks for vectors, and one of scalars takes eight times as long.
    """
    ours, theirs = one[first : first + SHORTS], other[start : start + SHORTS]
    return int(ours.astype(np.int64) @ theirs)


def _write_vectors(_context: Any, one: Any, first: Any, other: Any, start: Any) -> Any:  # noqa: ANN401
    def write(context: Any, builder: Any, _signature: Any, given: Any) -> Any:  # noqa: ANN401
        vectors = []
        for kind, array, place in ((one, *given[:2]), (other, *given[2:])):
            data = context.make_array(kind)(context, builder, array).data
            narrow = ir.VectorType(ir.IntType(16), SHORTS)
            loaded = builder.load(builder.bitcast(builder.gep(data, [place]), narrow.as_pointer()))
            loaded.align = 2
            vectors.append(builder.sext(loaded, ir.VectorType(ir.IntType(32), SHORTS)))
        kind = ir.FunctionType(ir.IntType(32), [vectors[0].type])
        name = f"llvm.vector.reduce.add.v{SHORTS}i32"
        add = cast("Any", cgutils).get_or_insert_function(builder.module, kind, name)
        return builder.sext(builder.call(add, [builder.mul(*vectors)]), ir.IntType(64))

    return types.int64(one, first, other, start), write


_multiply_vectors: Any = intrinsic(_write_vectors)


@overload(multiply_shorts, strict=False, jit_options={"forceinline": True})
def _multiply_compiled(one: Any, first: Any, other: Any, start: Any) -> Any:  # noqa: ANN401, ARG001
    def multiply(one: Shorts, first: int, other: Shorts, start: int) -> Any:  # noqa: ANN401
        return _multiply_vectors(one, np.uint64(first), other, np.uint64(start))

    return multiply


def is_compiled(function: Callable[..., object], *last: object) -> bool:
    """Whether this machine has machine code of a kernel, for last arguments like these.

    The variants of a kernel differ in which of its last arguments are None.
    """
    compiled = cast("Any", function)
    if not hasattr(compiled, "signatures"):
        return True  # plain Python, with the compiler switched off
    signatures = list(compiled.signatures)
    try:
        magic = compiled.targetctx.codegen().magic_tuple()
        index = compiled._cache._cache_file._load_index()  # noqa: SLF001 (as in _stamp)
        signatures += [key[0] for key in index if key[1] == magic]
    except (AttributeError, OSError):
        pass  # no cache
    asked = [one is None for one in last]
    return any([str(one) == "none" for one in known[-len(last) :]] == asked for known in signatures)


def find_code(function: Callable[..., object]) -> str | None:
    """Return the file that lists the cached machine code of a kernel; None without a cache."""
    try:
        return cast("str", cast("Any", function)._cache._cache_file._index_path)  # noqa: SLF001
    except AttributeError:
        return None


def _stamp(compiled: Any) -> None:  # noqa: ANN401 (numba's)
    """Tie the cached machine code of a kernel to the programs of all kernels.

    The machine code includes the kernels that it calls from other files, and Numba's stamp is of
    one file, down to its comments. It stays for a file that `SOURCES` does not read; elsewhere the
    name of the cached file loses the number of the kernel's first line too.
    """
    place = compiled._cache  # noqa: SLF001 (numba has no public way to say it)
    known, base = place._cache_file, place._impl.filename_base  # noqa: SLF001
    stamp: object = stamp_sources(SOURCES)
    python = compiled.py_func
    is_read = python.__module__.replace(".", "/").startswith(_LOOPS)
    if is_read and Path(python.__code__.co_filename).is_file():
        base = base.replace(f"-{place._impl.locator.get_disambiguator()}.", ".")  # noqa: SLF001
    else:
        stamp = known._source_stamp, stamp  # noqa: SLF001
    kept = place._cache_file = type(known)(place.cache_path, base, stamp)  # noqa: SLF001
    load_index = kept._load_index  # noqa: SLF001

    def load_known_index() -> dict[object, str]:
        try:
            return cast("dict[object, str]", load_index())
        except (AttributeError, ImportError):
            return {}  # cached by a version whose classes had other names: stale

    kept._load_index = load_known_index  # noqa: SLF001


_OTHERS_SECONDS: Final = 600.0
"""Longest wait for another process to compile a kernel; then it is compiled here too."""


def _load_directly(compiled: object) -> None:
    """Load cached machine code without the tables by which Numba compiles.

    Numba fills them before it looks for cached code, which takes longer than loading the code, and
    again whenever it compiles. Its runtime is all that the code needs. If that fails in any way,
    or nothing is cached, Numba goes its own way.

    While a process compiles a kernel, others that need it wait, and load what it cached.
    """
    dispatcher = cast("Any", compiled)
    cached = dispatcher._cache  # noqa: SLF001 (numba has no public way to say it)
    load, compile_now = cached.load_overload, dispatcher.compile
    turns: list[FileLock] = []  # those taken by compilations of this kernel, one within another

    def take_turn() -> bool:
        from filelock import FileLock, Timeout

        try:
            cached._impl.locator.ensure_cache_path()  # noqa: SLF001
            lock = FileLock(f"{cached._cache_file._index_path}.lock")  # noqa: SLF001
            try:
                lock.acquire(blocking=False)
            except Timeout:
                _LISTENER.notice.begin(dispatcher.py_func.__module__)
                try:
                    lock.acquire(timeout=_OTHERS_SECONDS)
                finally:
                    _LISTENER.notice.end()
        except (OSError, AttributeError):  # a place that cannot be locked, or another Numba
            return False
        turns.append(lock)
        return True

    def load_known(signature: object, context: object) -> object:
        found = find(signature, context)
        if found is None and not turns and take_turn():
            found = find(signature, context)  # another process may have compiled it meanwhile
        return found

    def compile_in_turn(signature: object) -> object:
        before = len(turns)
        try:
            return cast("object", compile_now(signature))
        finally:
            while len(turns) > before:
                turns.pop().release()

    def find(signature: object, context: object) -> object:
        with suppress(Exception), global_compiler_lock, _loading_lightly(context):
            from numba.core import runtime

            cast("Any", runtime).rtsys.initialize(context)
            known = cached._load_overload(signature, context)  # noqa: SLF001
            if known is not None:
                return cast("object", known)
        return cast("object", load(signature, context))

    cached.load_overload = load_known
    dispatcher.compile = compile_in_turn


@contextmanager
def _loading_lightly(context: Any) -> Iterator[None]:  # noqa: ANN401 (numba's)
    """Let Numba load machine code without its bitcode and without modules that only compile."""
    codegen, remake = context.codegen(), environment._rebuild_env  # noqa: SLF001
    codegen.unserialize_library = partial(_CachedCode.load, codegen)
    environment._rebuild_env = _make_environment  # noqa: SLF001
    try:
        yield
    finally:
        del codegen.unserialize_library
        environment._rebuild_env = remake  # noqa: SLF001


class _CachedCode(cast("Any", JITCodeLibrary)):  # type: ignore[misc]
    """Cached machine code. Its bitcode is read when a kernel that calls it is compiled."""

    _bitcode: bytes
    _shared_module: object

    @classmethod
    def load(cls, codegen: object, state: tuple[str, str, tuple[bytes, bytes]]) -> _CachedCode:
        name, _, (code, bitcode) = state
        library = cls(codegen, name)
        library._bitcode = bitcode
        library.enable_object_caching()
        library._set_compiled_object(code)
        library._finalize_final_module()
        return library

    def get_pointer_to_function(self, name: str) -> Any:  # noqa: ANN401 (an address)
        if "cpython" in name:  # the entry for Python, which is always there
            return self._codegen._engine.get_function_address(name)  # noqa: SLF001
        self._get_module_for_linking()
        return super().get_pointer_to_function(name)

    def _get_module_for_linking(self) -> object:
        if self._shared_module is None:
            self._shared_module = parse_bitcode(self._bitcode)
            self._codegen._engine._load_defined_symbols(self._shared_module)  # noqa: SLF001
        return self._shared_module


def _make_environment(module: str, constants: list[object], name: str) -> object:
    """Make the constants of compiled code; the module that they come from is not imported."""
    numbas = cast("Any", environment)
    if (found := numbas.lookup_environment(name)) is None:
        loaded = sys.modules.get(module)
        found = numbas.Environment(vars(loaded) if loaded else {"__name__": module})
        found.consts[:] = constants
        found.env_name = name
        numbas.Environment._memo[name] = found  # noqa: SLF001
    return cast("object", found)


class _Listener(event.Listener):  # type: ignore[misc,unused-ignore]  # numba ships no types
    """Is notified of every kernel that is compiled, and of none that is read from disk."""

    def __init__(self) -> None:
        self._guard = CallbackGuard()
        self.notice = CompilingNotice()

    def on_start(self, event: Any) -> None:  # noqa: ANN401 (numba's)
        self._guard.begin()
        self.notice.begin(event.data["dispatcher"].py_func.__module__)

    def on_end(self, event: Any) -> None:  # noqa: ANN401, ARG002
        self.notice.end()
        self._guard.end()


_LISTENER: Final = _Listener()
cast("Any", event).register("numba:compile", _LISTENER)
