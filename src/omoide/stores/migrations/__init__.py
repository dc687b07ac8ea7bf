"""The schema's history, in order; each release adds to it and none is ever changed."""

HEAD = "0005"
"""The newest revision that this release knows."""
