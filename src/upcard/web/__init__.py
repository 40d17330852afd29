"""The browser front-end: complete pages from view models, and the same view models as JSON.

A page is one module in `pages` (a view model and its routes) and one template. Nothing is computed
in the browser, every page works without JavaScript, and every change is a POST that `gate` checks.
"""
