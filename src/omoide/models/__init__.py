"""Adapters to the models that Omoide talks to.

Each module is named after what it adapts, and is imported only where it is used, so that an optional
dependency is asked for only by those who chose it.
"""
