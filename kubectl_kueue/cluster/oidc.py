"""OpenID Connect logins of a kubeconfig (auth-provider oidc): the id-token, renewed when its time is over.

The client library would renew it without verifying the certificate of the identity provider.
"""

import base64
import json
import os
import tempfile
import time
from collections.abc import Mapping
from typing import Any

from kubectl_kueue.cluster import clock, failures
from kubectl_kueue.cluster.kubeconfig import Login
from kubectl_kueue.cluster.trust import new_context
from kubectl_kueue.errors import ConfigError

_PAUSES = (0.0, 0.1, 0.3, 0.6)  # seconds in which another command may store what it was given
_EARLY = 10  # seconds before its end in which a token is no longer used


def id_token(login: Login) -> str:
    """The token to show. Raises ConfigError."""
    provider = login.user.get("auth-provider")
    name = provider.get("name") if isinstance(provider, dict) else None
    if not isinstance(provider, dict) or name != "oidc":
        raise ConfigError(
            f'kubeconfig: the auth-provider {name!r} of user "{login.user_name}" is no longer part of '
            "Kubernetes clients; use the exec plugin of your provider"
        )
    config: dict[str, Any] = provider.setdefault("config", {})
    token = config.get("id-token")
    if isinstance(token, str) and not _over(token):
        return token
    try:
        renewed = _renew(config)
        _store(login, renewed)
    except ConfigError:
        # Of two commands at a time one may come too late: many a provider takes a refresh-token only once.
        renewed = _renewed_by_another(login, token)
        if not renewed:
            raise
    config.update(renewed)
    return renewed["id-token"]


def _renewed_by_another(login: Login, over: Any) -> dict[str, str]:
    """The tokens that stand in the kubeconfig by now, if they are good; empty if nobody has renewed them."""
    for pause in _PAUSES:
        time.sleep(pause)
        found = _stored(login)
        token = found.get("id-token")
        if isinstance(token, str) and token != over and not _over(token):
            return {name: found[name] for name in ("id-token", "refresh-token") if name in found}
    return {}


def _stored(login: Login) -> dict[str, Any]:
    import yaml

    try:
        with open(login.origin, "rb") as file:
            users = yaml.safe_load(file)["users"]
        user = next(each["user"] for each in users if each["name"] == login.user_name)
        config = user["auth-provider"]["config"]
        return config if isinstance(config, dict) else {}
    except (OSError, ValueError, LookupError, TypeError, StopIteration, yaml.YAMLError):
        return {}


def _over(token: str) -> bool:
    try:
        part = token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
        return bool(claims["exp"] - _EARLY <= clock.now() / 1_000_000)
    except (ValueError, LookupError, TypeError):
        return True


def _renew(config: Mapping[str, Any]) -> dict[str, str]:
    for key in ("idp-issuer-url", "client-id"):
        if not config.get(key):
            raise ConfigError(f"oidc: {key} is missing in the kubeconfig")
    if not config.get("refresh-token"):
        raise ConfigError(
            "oidc: no valid id-token, and it cannot be renewed without a refresh-token: log in again"
        )
    import urllib3

    authority = config.get("idp-certificate-authority-data")
    try:
        data = base64.b64decode(authority).decode() if authority else None
        pool = urllib3.PoolManager(ssl_context=new_context(config.get("idp-certificate-authority"), data))
        issuer = str(config["idp-issuer-url"]).rstrip("/")
        endpoint = _ask(pool, "GET", f"{issuer}/.well-known/openid-configuration")["token_endpoint"]
        fields = {
            "grant_type": "refresh_token",
            "refresh_token": config["refresh-token"],
            "client_id": config["client-id"],
        }
        if config.get("client-secret"):
            fields["client_secret"] = config["client-secret"]
        answer = _ask(pool, "POST", endpoint, fields)
        renewed = {"id-token": answer["id_token"]}
        if answer.get("refresh_token"):
            renewed["refresh-token"] = answer["refresh_token"]
        return renewed
    except (ValueError, LookupError, TypeError, OSError, urllib3.exceptions.HTTPError) as error:
        said = failures.cause(error, config["idp-issuer-url"])
        if isinstance(error, LookupError | ValueError) and not isinstance(error, _RefusedError | OSError):
            said = "the identity provider's answer cannot be read"
        raise ConfigError(f"oidc: the id-token could not be renewed: {said}; log in again") from None


class _RefusedError(ValueError):
    """The identity provider said no."""


def _ask(pool: Any, method: str, url: str, fields: Mapping[str, str] | None = None) -> Any:
    from urllib.parse import urlencode

    if not url.startswith("https://"):
        raise _RefusedError(f"{failures.told(url)} is not https")
    headers = {"Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"}
    body = urlencode(fields) if fields else None
    answer = pool.request(
        method, url, headers=headers, body=body, redirect=False, retries=False, timeout=30.0
    )
    if answer.status != 200:
        raise _RefusedError(f"{failures.told(url)} answered {answer.status}")
    return json.loads(answer.data)


def _store(login: Login, renewed: Mapping[str, str]) -> None:
    """Write the tokens back, as kubectl does: a provider may accept a refresh-token only once."""
    import yaml

    try:
        with open(login.origin, "rb") as file:
            document = yaml.safe_load(file)
        for entry in document["users"]:
            if entry["name"] == login.user_name:
                entry["user"]["auth-provider"]["config"].update(renewed)
        folder = os.path.dirname(os.path.realpath(login.origin))
        handle, path = tempfile.mkstemp(dir=folder, prefix=".kubeconfig-")
        with os.fdopen(handle, "w", encoding="utf-8") as copy:
            yaml.safe_dump(document, copy, default_flow_style=False, sort_keys=False)
        os.replace(path, os.path.realpath(login.origin))
    except (OSError, LookupError, TypeError, yaml.YAMLError):
        return  # a kubeconfig that cannot be written is no reason to fail: the token is good
