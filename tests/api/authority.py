"""Certificates for tests, made by the openssl program: an authority, and those that it vouches for."""

import shutil
import ssl
import subprocess
from base64 import b64encode
from pathlib import Path

EXISTS = shutil.which("openssl") is not None


class Authority:
    """An authority of its own in `folder`; certificates are folder/NAME.crt, keys folder/NAME.key."""

    def __init__(self, folder: Path, name: str = "ca") -> None:
        self.folder = folder
        self.name = name
        folder.mkdir(parents=True, exist_ok=True)
        self._openssl(
            "req", "-x509", *_NEW_KEY, "-keyout", self.key(name), "-out", self.crt(name), "-days", "2"
        )

    def crt(self, name: str = "") -> str:
        return str(self.folder / f"{name or self.name}.crt")

    def key(self, name: str) -> str:
        return str(self.folder / f"{name}.key")

    def sign(self, name: str, alternative: str = "", *, days: int = 2) -> None:
        """A certificate with the common name `name`, for "IP:127.0.0.1" or "DNS:api.internal"."""
        request = str(self.folder / f"{name}.csr")
        extensions = self.folder / f"{name}.ext"
        extensions.write_text(
            f"subjectAltName={alternative}\n" if alternative else "basicConstraints=CA:FALSE\n"
        )
        self._openssl("req", "-new", *_NEW_KEY, "-keyout", self.key(name), "-out", request, name=name)
        signer = ("-CA", self.crt(), "-CAkey", self.key(self.name), "-CAcreateserial")
        files = ("-in", request, "-out", self.crt(name), "-extfile", str(extensions))
        self._openssl("x509", "-req", *signer, *files, "-days", str(days))

    def server(self, name: str, *, clients: "Authority | None" = None) -> ssl.SSLContext:
        """A context for a server with this certificate; it asks for certificates of `clients`."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.crt(name), self.key(name))
        if clients is not None:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(clients.crt())
        return context

    def data(self, path: str) -> str:
        """A file as a kubeconfig has it in its -data fields."""
        return b64encode(Path(path).read_bytes()).decode()

    def _openssl(self, *arguments: str, name: str = "") -> None:
        subject = ("-subj", f"/CN={name or self.name}") if arguments[0] == "req" else ()
        subprocess.run(["openssl", *arguments, *subject], check=True, capture_output=True)  # noqa: S607


_NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
