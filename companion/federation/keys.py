"""The keys of this machine in federation: one for TLS, one for masks; they never leave it."""

import os
from datetime import UTC, datetime
from typing import NamedTuple

from companion.errors import CompanionError
from companion.storage.files import durable

FOLDER = "federation"
_TLS = "tls-key.pem"
_CERTIFICATE = "certificate.pem"
_EXCHANGE = "exchange.key"
#: the host name in every certificate: it says nothing of whose it is
NAME = "companion"


class NotInstalled(CompanionError):
    """The extra [federation] is missing."""

    exit_code = 69
    hint = 'Install it: pip install "companion-wiki[federation]".'


class NoKeys(CompanionError):
    """This wiki has no keys for federation."""

    exit_code = 2
    hint = "`companion federation card NAME HOST:PORT` makes them."


class Keys(NamedTuple):
    """The keys of one member."""

    tls: bytes  # PEM, private
    certificate: bytes  # PEM
    exchange: bytes  # raw X25519, private

    @property
    def public(self) -> str:
        """Return the public key for masks, in hex."""
        from cryptography.hazmat.primitives.asymmetric.x25519 import (
            X25519PrivateKey,
        )

        key = X25519PrivateKey.from_private_bytes(self.exchange)
        return str(key.public_key().public_bytes_raw().hex())

    def share(self, public: str) -> bytes:
        """Return the secret that only this member and the one with *public* can know."""
        from cryptography.hazmat.primitives.asymmetric.x25519 import (
            X25519PrivateKey,
            X25519PublicKey,
        )

        key = X25519PrivateKey.from_private_bytes(self.exchange)
        other = X25519PublicKey.from_public_bytes(bytes.fromhex(public))
        return bytes(key.exchange(other))


def require_installed() -> None:
    """Raise NotInstalled where the extra is missing."""
    from importlib.util import find_spec

    for name in ("grpc", "google.protobuf", "cryptography"):
        try:
            found = find_spec(name)
        except ModuleNotFoundError:
            found = None
        if found is None:
            raise NotInstalled(f"federation needs {name}, which is missing")


def read_keys(state: str) -> Keys:
    """Return the keys in companion's *state* folder. Raises NoKeys."""
    found = [
        durable.read_if_there(os.path.join(state, FOLDER, name))
        for name in (_TLS, _CERTIFICATE, _EXCHANGE)
    ]
    tls, certificate, exchange = found
    if tls is None or certificate is None or exchange is None:
        raise NoKeys("this wiki has no keys for federation yet")
    return Keys(tls, certificate, exchange)


def make_keys(state: str) -> Keys:
    """Return the keys in companion's *state* folder, made where there are none yet."""
    try:
        return read_keys(state)
    except NoKeys:
        made = _generate()
    folder = os.path.join(state, FOLDER)
    durable.make_dirs(folder, mode=0o700)
    for name, data in (
        (_EXCHANGE, made.exchange),
        (_CERTIFICATE, made.certificate),
        (_TLS, made.tls),
    ):
        durable.replace(os.path.join(folder, name), data, mode=0o600)
    return made


def _generate() -> Keys:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.x25519 import (
        X25519PrivateKey,
    )

    key = ec.generate_private_key(ec.SECP256R1())
    serial = x509.random_serial_number()
    # of its own: a list of certificates is searched by these names
    attribute = x509.NameAttribute(x509.NameOID.COMMON_NAME, f"{serial:x}"[:32])
    name = x509.Name([attribute])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(serial)
        # pinned by the roster: dates would only say when it was made
        .not_valid_before(datetime(2020, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(2120, 1, 1, tzinfo=UTC))
        .add_extension(
            x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False
        )
        .add_extension(
            x509.BasicConstraints(ca=True, path_length=0), critical=True
        )
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    pem = certificate.public_bytes(serialization.Encoding.PEM)
    return Keys(private, pem, X25519PrivateKey.generate().private_bytes_raw())
