"""An identity provider of pysaml2: pysaml2_idp.py PORT FOLDER SERVICE; the folder holds idp.pem and idp.crt.

Whoever comes is mei@example.com, in the groups that the file `groups` of the folder names, one a line; what is signed stands in `signs`
("assertion", "response" or "both"). Where the folder holds `service.xml`, the metadata of the service, only requests are answered that its key
signed. GET /metadata, GET /sso?SAMLRequest=…: a page that posts itself to the service.
"""

import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.parse import parse_qs, parse_qsl, urlsplit
from xml.etree import ElementTree

from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT
from saml2.config import IdPConfig
from saml2.metadata import entity_descriptor
from saml2.saml import NAME_FORMAT_BASIC, NAMEID_FORMAT_EMAILADDRESS, NameID
from saml2.server import Server
from saml2.sigver import verify_redirect_signature
from saml2.xmldsig import DIGEST_SHA256, SIG_RSA_SHA256

port, folder, service = int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
base = f"http://127.0.0.1:{port}"
(folder / "maps").mkdir(exist_ok=True)
names = {name: name for name in ("mail", "displayName", "groups")}
(folder / "maps" / "basic.py").write_text(
    f"MAP = {{'identifier': {NAME_FORMAT_BASIC!r}, 'fro': {names!r}, 'to': {names!r}}}\n"
)
service_metadata = f"""<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="{service}">
  <md:SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol" WantAssertionsSigned="true">
    <md:AssertionConsumerService Binding="{BINDING_HTTP_POST}" Location="{service}/api/auth/saml/acs" index="0"/>
  </md:SPSSODescriptor>
</md:EntityDescriptor>"""
config = IdPConfig().load(
    {
        "entityid": f"{base}/idp",
        "key_file": str(folder / "idp.pem"),
        "cert_file": str(folder / "idp.crt"),
        "xmlsec_binary": "/usr/bin/xmlsec1",
        "attribute_map_dir": str(folder / "maps"),
        "metadata": {"inline": [service_metadata]},
        "service": {
            "idp": {
                "endpoints": {"single_sign_on_service": [(f"{base}/sso", BINDING_HTTP_REDIRECT)]},
                "name_id_format": [NAMEID_FORMAT_EMAILADDRESS],
                "policy": {"default": {"lifetime": {"minutes": 5}, "attribute_restrictions": None, "name_form": NAME_FORMAT_BASIC}},
            }
        },
    }
)
provider = Server(config=config)


def answer(query):
    request = provider.parse_authn_request(query["SAMLRequest"][0], BINDING_HTTP_REDIRECT)
    signs = (folder / "signs").read_text().strip()
    wanted = provider.response_args(request.message)
    response = provider.create_authn_response(
        identity={
            "mail": ["mei@example.com"],
            "displayName": ["Mei Example"],
            "groups": (folder / "groups").read_text().split(),
        },
        userid="mei",
        name_id=NameID(format=NAMEID_FORMAT_EMAILADDRESS, text="mei@example.com"),
        authn={"class_ref": "urn:oasis:names:tc:SAML:2.0:ac:classes:Password", "authn_auth": base},
        sign_assertion=signs in ("assertion", "both"),
        sign_response=signs in ("response", "both"),
        sign_alg=SIG_RSA_SHA256,
        digest_alg=DIGEST_SHA256,
        **{key: wanted[key] for key in ("in_response_to", "destination", "sp_entity_id")},
    )
    sent = provider.apply_binding(
        BINDING_HTTP_POST, str(response), wanted["destination"], query["RelayState"][0], response=True
    )
    return sent["data"]


def is_signed(query):
    """Whether the key in the metadata of the service signed the query. True where the folder holds no metadata."""
    metadata = folder / "service.xml"
    if not metadata.exists():
        return True
    if "Signature" not in query:
        return False
    certificate = ElementTree.parse(metadata).find(".//{http://www.w3.org/2000/09/xmldsig#}X509Certificate")
    text = "".join(certificate.text.split())
    return verify_redirect_signature(dict(parse_qsl(query)), provider.sec.sec_backend, text)


class Pages(BaseHTTPRequestHandler):
    def do_GET(self):
        asked = urlsplit(self.path)
        if asked.path == "/sso" and not is_signed(asked.query):
            self.send_error(403, "the request is not signed by the service")
            return
        text = str(entity_descriptor(config)) if asked.path == "/metadata" else answer(parse_qs(asked.query))
        self.send_response(200)
        self.send_header("Content-Type", "text/xml" if asked.path == "/metadata" else "text/html")
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *words):
        pass


HTTPServer(("127.0.0.1", port), Pages).serve_forever()
