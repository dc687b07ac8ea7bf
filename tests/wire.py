"""A network between a store and its PostgreSQL server that fails where a test says so."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from postgres import OWNER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from postgres import PostgresServer


class Wire:
    """Listens on this machine, and passes everything on to a server, both ways, unless it is told otherwise.

    Attributes:
        cut_at: bytes of the client's at which its connection is cut, before the server gets them.
        cut_after: bytes of the client's after which it is cut, once the server has answered them.
        armed_by: bytes of the client's before which neither happens.
        cuts: how many connections are cut by either; the next ones pass.
        lag: seconds that each piece takes.
        silent: whether nothing is passed on any more, while all connections stay.
        closed: whether new connections are ended at once.
        connections: how many there were.
    """

    def __init__(self, server: PostgresServer) -> None:
        self._to = str(server.folder / ".s.PGSQL.5432")
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self._muted: set[socket.socket] = set()
        self.port = self._listening.getsockname()[1]
        self.cut_at = self.cut_after = self.armed_by = b""
        self.cuts = 1
        self.lag = 0.0
        self.silent = self.closed = False
        self.connections = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def url(self, database: str) -> str:
        """The address of a database through this."""
        return f"postgresql+psycopg://{OWNER}@127.0.0.1:{self.port}/{database}?sslmode=disable"

    def cut(self) -> None:
        """Cut all connections that are open."""
        for one in self._open:
            _end(one)
        self._open.clear()

    def mute(self) -> None:
        """Pass nothing on any more over the connections that are open; new ones work."""
        self._muted.update(self._open)

    def stop(self) -> None:
        """Listen no more, and cut all connections."""
        self._listening.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:  # stopped
                return
            self.connections += 1
            if self.closed:
                _end(client)
                continue
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(self._to)
            except OSError:  # it is down
                _end(client)
                continue
            self._open += [client, server]
            answered = threading.Event()
            threading.Thread(target=self._up, args=(client, server, answered), daemon=True).start()
            threading.Thread(target=self._down, args=(server, client, answered), daemon=True).start()

    def _up(self, client: socket.socket, server: socket.socket, answered: threading.Event) -> None:
        with suppress(OSError):
            while piece := client.recv(65_536):
                self._wait(client)
                if self._strikes(self.cut_at, piece):
                    break
                if self._strikes(self.cut_after, piece):
                    answered.set()
                server.sendall(piece)
        if not answered.is_set():
            _end(client)
            _end(server)

    def _down(self, server: socket.socket, client: socket.socket, answered: threading.Event) -> None:
        with suppress(OSError):
            while piece := server.recv(65_536):
                self._wait(server)
                if answered.is_set():
                    break
                client.sendall(piece)
        _end(client)
        _end(server)

    def _strikes(self, mark: bytes, piece: bytes) -> bool:
        if self.armed_by and self.armed_by in piece:
            self.armed_by = b""
        if not mark or mark not in piece or not self.cuts or self.armed_by:
            return False
        self.cuts -= 1
        return True

    def _wait(self, source: socket.socket) -> None:
        time.sleep(self.lag)
        while self.silent or (source in self._muted and source in self._open):
            time.sleep(0.01)


@contextmanager
def wire_to(server: PostgresServer) -> Iterator[Wire]:
    """A network to a server, for as long as it is needed."""
    wire = Wire(server)
    try:
        yield wire
    finally:
        wire.silent = False
        wire.stop()


def _end(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()
