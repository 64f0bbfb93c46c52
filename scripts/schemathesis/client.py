"""Creates, lists and deletes with the client that openapi-python-client made: `python client.py URL KEY`."""

import sys
from urllib.parse import parse_qs, urlsplit

from generated import AuthenticatedClient
from generated.api.creating import create_link, create_paste
from generated.api.deleting import delete_link
from generated.api.items_of_a_key import delete_own_paste, list_own_links, list_own_pastes
from generated.models import Done, LinkBody, LinkCreated, OwnLinks, OwnPastes, PasteBody, PasteCreated

url, key = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=key, prefix="", auth_header_name="key")

body = PasteBody(text="a", title="typed", description="", language="C++", alias="typed", max_reads=3, expires_in="7d")
paste = create_paste.sync(client=client, body=body)
assert isinstance(paste, PasteCreated), paste
link = create_link.sync(client=client, body=LinkBody(url="http://nas/", expires_in=3600))
assert isinstance(link, LinkCreated), link

pastes = list_own_pastes.sync(client=client, limit=10)
assert isinstance(pastes, OwnPastes), pastes
assert [one.title for one in pastes.pastes] == ["typed"], pastes
links = list_own_links.sync(client=client)
assert isinstance(links, OwnLinks), links
assert [one.visits for one in links.links] == [0], links

assert isinstance(delete_own_paste.sync("typed", client=client), Done)
[deletion_key] = parse_qs(urlsplit(link.deletion_url).query)["key"]
assert isinstance(delete_link.sync(client=client, key=deletion_key), Done)
