"""gRPC between members: TLS both ways, and only certificates of the roster are believed.

No message names anybody: who calls is the certificate that the connection proved. Headers that a
caller adds are never read, and a message of another size is answered by nothing but its refusal.
"""

from collections.abc import Callable
from concurrent import futures
from typing import Any

from companion.errors import CompanionError
from companion.federation import wire
from companion.federation.keys import NAME, Keys
from companion.federation.relay import Relay
from companion.federation.schema import PACKAGE
from companion.federation.sums.sketch import Sheet
from companion.federation.unit import Card, Unit
from companion.federation.wire import Misshapen, Round

_SERVICE = f"{PACKAGE}.Peer"
#: bytes above which gRPC itself turns a message away
LARGEST = 65_536
TIMEOUT = 20.0  # seconds of one call
_OPTIONS = (
    ("grpc.max_receive_message_length", LARGEST),
    ("grpc.max_send_message_length", LARGEST),
    ("grpc.max_metadata_size", 8_192),
)


class PeerUnreachable(CompanionError):
    """A member of the unit did not answer."""

    exit_code = 75
    hint = (
        "Nothing is lost: run the same command again. A changed certificate is"
        " never believed; ask its owner for the unit's new file."
    )


def serve(
    unit: Unit, keys: Keys, relay: Relay, address: str, week: Callable[[], int]
) -> tuple[Any, int]:
    """Start a server at *address* (host:port); return it and its port. The caller stops it.

    *week* says which week it is.
    """
    import grpc

    server = grpc.server(
        futures.ThreadPoolExecutor(max_workers=4), options=_OPTIONS
    )
    handlers = {
        "Contribute": grpc.unary_unary_rpc_method_handler(
            _answer(unit, lambda member, data: _take(relay, member, data, week))
        ),
        "Fetch": grpc.unary_unary_rpc_method_handler(
            _answer(unit, lambda member, data: _release(relay, data, week))
        ),
    }
    handler = grpc.method_handlers_generic_handler(_SERVICE, handlers)
    server.add_generic_rpc_handlers((handler,))
    roster = "\n".join(one.certificate for one in unit.members).encode()
    credentials = grpc.ssl_server_credentials(
        [(keys.tls, keys.certificate)],
        root_certificates=roster,
        require_client_auth=True,
    )
    port = server.add_secure_port(address, credentials)
    server.start()
    return server, int(port)


def _answer(unit: Unit, act: Callable[[int, bytes], bytes]) -> Any:
    positions = {
        _bare(one.certificate): place for place, one in enumerate(unit.members)
    }

    def answer(data: bytes, context: Any) -> bytes:
        import grpc

        proved = context.auth_context().get("x509_pem_cert", [b""])[0]
        member = positions.get(_bare(proved.decode("ascii", "replace")))
        if member is None:
            context.abort(grpc.StatusCode.PERMISSION_DENIED, "")
        assert member is not None
        try:
            return act(member, data)
        except Misshapen:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, "")
            raise

    return answer


def _take(
    relay: Relay, member: int, data: bytes, week: Callable[[], int]
) -> bytes:
    round, sheet = wire.decode_contribution(data)
    return wire.encode_receipt(relay.take(member, round, sheet, week()))


def _release(relay: Relay, data: bytes, week: Callable[[], int]) -> bytes:
    round = wire.decode_round(data)
    answer, members, sheet = relay.release(round, week())
    return wire.encode_release(round, answer, members, sheet)


def contribute(card: Card, keys: Keys, message: bytes) -> int:
    """Send one contribution to the member of *card*; return the answer.

    Raises PeerUnreachable.
    """
    data = _call(card, keys, "Contribute", message)
    return wire.decode_receipt(data)


def fetch(card: Card, keys: Keys, round: Round) -> tuple[int, int, Sheet]:
    """Return answer, members and sum of a *round* from the relay. Raises PeerUnreachable."""
    data = _call(card, keys, "Fetch", wire.encode_round(round))
    given, answer, members, sheet = wire.decode_release(data)
    if given != round:
        raise PeerUnreachable("the relay answered for another round")
    return answer, members, sheet


def _call(card: Card, keys: Keys, method: str, message: bytes) -> bytes:
    import grpc

    credentials = grpc.ssl_channel_credentials(
        root_certificates=card.certificate.encode(),
        private_key=keys.tls,
        certificate_chain=keys.certificate,
    )
    options = (*_OPTIONS, ("grpc.ssl_target_name_override", NAME))
    with grpc.secure_channel(card.address, credentials, options) as channel:
        call = channel.unary_unary(f"/{_SERVICE}/{method}")
        try:
            return bytes(call(message, timeout=TIMEOUT))
        except grpc.RpcError as error:
            raise PeerUnreachable(
                f"{card.name} at {card.address} did not answer: "
                f"{error.code().name.lower().replace('_', ' ')}"
            ) from error
        except Misshapen as error:
            raise PeerUnreachable(f"{card.name} answered nonsense") from error


def _bare(certificate: str) -> str:
    return "".join(certificate.split())
