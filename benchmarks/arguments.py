"""What the command lines of all benchmarks share: their own words as help, and figures as JSON."""

from __future__ import annotations

import argparse
import json


def parser_of(told: str | None) -> argparse.ArgumentParser:
    """A parser that shows what a module says of itself, and knows `--json`."""
    parser = argparse.ArgumentParser(description=told, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def print_json(figures: object, *, indent: int | None = None) -> None:
    """Print figures for another program."""
    print(json.dumps(figures, ensure_ascii=False, indent=indent))
