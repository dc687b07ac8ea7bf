"""The schema's history, in order; each release adds to it and none is ever changed.

A release that only adds (tables, columns with a default, indexes) leaves `FLOOR` as it is: replicas of the
releases before it go on working while it is rolled out, and may be started again. One that changes what older
code writes or reads raises it.
"""

HEAD = "0006"
"""The newest revision that this release knows."""

FLOOR = "0005"
"""The oldest revision whose release works with a store of `HEAD`."""
