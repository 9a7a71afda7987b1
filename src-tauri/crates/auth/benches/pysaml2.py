"""Prints the seconds of processor time that pysaml2 takes for one answer, its xmlsec1 included.

pysaml2.py ANSWER CERTIFICATE ISSUER AUDIENCE ACS REQUEST: files with the posted field and the naked certificate, then texts.
"""

import os
import sys

from saml2 import BINDING_HTTP_POST
from saml2.client import Saml2Client
from saml2.config import SPConfig

TIMES = 20

answer, certificate, issuer, audience, acs, request = sys.argv[1:]
posted = open(answer).read()
metadata = f"""<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="{issuer}">
  <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>
      <ds:X509Certificate>{open(certificate).read()}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
    <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="{issuer}/sso"/>
  </md:IDPSSODescriptor>
</md:EntityDescriptor>"""
settings = {
    "entityid": audience,
    # The answer of the benchmark has a time of its own.
    "accepted_time_diff": 10**9,
    "allow_unknown_attributes": True,
    "metadata": {"inline": [metadata]},
    "xmlsec_binary": "/usr/bin/xmlsec1",
    "service": {
        "sp": {
            "endpoints": {"assertion_consumer_service": [(acs, BINDING_HTTP_POST)]},
            "want_response_signed": True,
            "want_assertions_signed": True,
            "allow_unsolicited": False,
        }
    },
}
client = Saml2Client(SPConfig().load(settings))


def once():
    read = client.parse_authn_request_response(posted, BINDING_HTTP_POST, outstanding={request: "/"})
    assert read.get_subject().text == "mei@example.com"
    assert len(read.ava["groups"]) == 50, read.ava


def cpu():
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


once()
before = cpu()
for _ in range(TIMES):
    once()
print((cpu() - before) / TIMES)
