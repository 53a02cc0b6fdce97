"""The front door: the verbs of ``import navproof as nv``, and what they return.

``run``, ``score``, ``compare``, ``diagnose`` and ``report`` do what the commands of these names do:
the command line parses options and calls them. Every verb is in a module of its own name, and
``navproof/__init__.py`` imports it when it is asked for.
"""
