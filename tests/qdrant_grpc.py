"""The same server as `qdrant_server`, asked by gRPC: Qdrant's own messages over Qdrant's own engine."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
from qdrant_client import QdrantClient, models
from qdrant_client import grpc as wire
from qdrant_client.conversions.conversion import GrpcToRest, RestToGrpc, payload_to_grpc
from qdrant_client.grpc.collections_service_pb2_grpc import (
    CollectionsServicer,
    add_CollectionsServicer_to_server,
)
from qdrant_client.grpc.points_service_pb2_grpc import PointsServicer, add_PointsServicer_to_server


class QdrantGrpcServer:
    """A server on loopback, in threads.

    Attributes:
        client: what it holds, past the wire.
        mood: how it answers, as an error's status; None: as it should.
        asked: the names of the calls.
    """

    def __init__(self, *, key: str | None = None) -> None:
        self.client = QdrantClient(":memory:", force_disable_check_same_thread=True)
        self.mood: grpc.StatusCode | None = None
        self.key = key
        self.asked: list[str] = []
        self.released = threading.Event()
        self.lock = threading.Lock()
        self._server = grpc.server(ThreadPoolExecutor(8), interceptors=[_Asked(self)])
        add_CollectionsServicer_to_server(_Collections(self), self._server)
        add_PointsServicer_to_server(_Points(self), self._server)
        self.port: int = self._server.add_insecure_port("127.0.0.1:0")
        self._server.start()

    def stop(self) -> None:
        """Be dead."""
        self.released.set()
        self._server.stop(grace=None).wait(5.0)


class _Asked(grpc.ServerInterceptor):
    """Looks at each call first: whether it brings the key, and how the server is."""

    def __init__(self, server: QdrantGrpcServer) -> None:
        self._server = server

    def intercept_service(self, continuation: Any, details: Any) -> Any:
        server = self._server
        server.asked.append(details.method.rpartition("/")[2])
        status = server.mood
        if dict(details.invocation_metadata).get("api-key") != server.key:
            status = grpc.StatusCode.UNAUTHENTICATED
        if status is None:
            return continuation(details)

        def refuse(_: Any, context: Any) -> None:
            if status is grpc.StatusCode.DEADLINE_EXCEEDED:
                server.released.wait(30.0)
            context.abort(status, "refused")

        return grpc.unary_unary_rpc_method_handler(refuse)


class _Collections(CollectionsServicer):
    def __init__(self, server: QdrantGrpcServer) -> None:
        self._server = server

    def List(self, _: Any, __: Any) -> Any:
        names = [one.name for one in self._server.client.get_collections().collections]
        described = [wire.CollectionDescription(name=name) for name in names]
        return wire.ListCollectionsResponse(collections=described)

    def Get(self, request: Any, context: Any) -> Any:
        if not self._server.client.collection_exists(request.collection_name):
            context.abort(grpc.StatusCode.NOT_FOUND, "not found")
        found = self._server.client.get_collection(request.collection_name)
        return wire.GetCollectionInfoResponse(result=RestToGrpc.convert_collection_info(found))

    def Create(self, request: Any, _: Any) -> Any:
        self._server.client.create_collection(
            request.collection_name,
            vectors_config=GrpcToRest.convert_vectors_config(request.vectors_config),
            metadata=GrpcToRest.convert_payload(request.metadata),
        )
        return wire.CollectionOperationResponse(result=True)

    def Delete(self, request: Any, _: Any) -> Any:
        self._server.client.delete_collection(request.collection_name)
        return wire.CollectionOperationResponse(result=True)


class _Points(PointsServicer):
    def __init__(self, server: QdrantGrpcServer) -> None:
        self._server = server

    def CreateFieldIndex(self, _: Any, __: Any) -> Any:
        return _done()

    def Upsert(self, request: Any, _: Any) -> Any:
        points = [GrpcToRest.convert_point_struct(point) for point in request.points]
        with self._server.lock:
            self._server.client.upsert(request.collection_name, points)
        return _done()

    def Delete(self, request: Any, _: Any) -> Any:
        chosen = GrpcToRest.convert_points_selector(request.points)
        with self._server.lock:
            self._server.client.delete(request.collection_name, points_selector=chosen)
        return _done()

    def Get(self, request: Any, _: Any) -> Any:
        ids = [GrpcToRest.convert_point_id(one) for one in request.ids]
        found = self._server.client.retrieve(
            request.collection_name, ids, with_payload=True, with_vectors=True
        )
        return wire.GetResponse(result=[RestToGrpc.convert_retrieved_point(one) for one in found])

    def Scroll(self, request: Any, _: Any) -> Any:
        found, page = self._server.client.scroll(
            request.collection_name,
            scroll_filter=GrpcToRest.convert_filter(request.filter),
            limit=request.limit,
            offset=GrpcToRest.convert_point_id(request.offset) if request.HasField("offset") else None,
        )
        return wire.ScrollResponse(
            result=[RestToGrpc.convert_retrieved_point(one) for one in found],
            next_page_offset=None if page is None else RestToGrpc.convert_extended_point_id(page),
        )

    def Query(self, request: Any, context: Any) -> Any:
        if not self._server.client.collection_exists(request.collection_name):
            context.abort(grpc.StatusCode.NOT_FOUND, "not found")
        query = GrpcToRest.convert_query(request.query)
        assert isinstance(query, models.NearestQuery)
        with self._server.lock:
            found = self._server.client.query_points(
                request.collection_name,
                query=query.nearest,
                query_filter=GrpcToRest.convert_filter(request.filter),
                limit=request.limit,
                with_payload=True,
            )
        return wire.QueryResponse(result=[_scored(point) for point in found.points])

    def Facet(self, request: Any, _: Any) -> Any:
        found = self._server.client.facet(
            request.collection_name,
            request.key,
            facet_filter=GrpcToRest.convert_filter(request.filter),
            limit=request.limit,
            exact=True,
        )
        return wire.FacetResponse(hits=[RestToGrpc.convert_facet_value_hit(hit) for hit in found.hits])


def _done() -> Any:
    return wire.PointsOperationResponse(result=wire.UpdateResult(status=wire.UpdateStatus.Completed))


def _scored(point: models.ScoredPoint) -> Any:
    return wire.ScoredPoint(
        id=RestToGrpc.convert_extended_point_id(point.id),
        payload=payload_to_grpc(point.payload or {}),
        score=point.score,
    )
