"""An agent through the official client of the Model Context Protocol, as its users call it."""

import asyncio
import json
import os

import httpx2
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

URL = os.environ["QUIPU_URL"] + "/mcp/"


def connect(agent: str, key: str, **options) -> Client:
    http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"})
    return Client(streamable_http_client(URL + agent, http_client=http), **options)


async def use(mode: str):
    # By itself the client asks for a newer version first, and then for one that both know.
    async with connect("maya", os.environ["QUIPU_KEY"], mode=mode) as client:
        assert client.protocol_version == "2025-06-18", client.protocol_version
        assert "Maya" in client.instructions, client.instructions

        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert tools["search_knowledge_base"].annotations.read_only_hint
        assert tools["cancel_appointment"].annotations.destructive_hint
        assert tools["get_service_info"].input_schema["required"] == ["service_name"]

        found = await client.call_tool("search_knowledge_base", {"query": "limpieza dental"})
        assert not found.is_error, found
        assert found.structured_content["results"], found
        assert json.loads(found.content[0].text) == found.structured_content

        service = await client.call_tool("get_service_info", {"service_name": "limpieza"})
        assert not service.is_error, service
        assert "S/ 120" in service.content[0].text, service

        nobody = await client.call_tool("get_loyalty_balance", {})
        assert nobody.is_error
        assert nobody.structured_content["error"]["code"] == "LEAD_REQUIRED", nobody
        for wrong, code in ((("no_such_tool", {}), "UNKNOWN_TOOL"),
                            (("get_service_info", {}), "INVALID_ARGUMENTS")):
            try:
                await client.call_tool(*wrong)
            except MCPError as error:
                assert error.error.code == -32602, error.error
                assert error.error.data["code"] == code, error.error
            else:
                raise AssertionError(f"{wrong} was accepted")

        resources = (await client.list_resources()).resources
        assert resources
        text = (await client.read_resource(resources[0].uri)).contents[0].text
        assert text.strip(), resources[0]


async def refused(agent: str, key: str):
    opened = False
    try:
        async with connect(agent, key):
            opened = True
    except* MCPError:
        pass
    assert not opened, f"{agent} was opened"


async def main():
    await use("legacy")
    await use("auto")
    await refused("maya", "nobody")
    await refused("nobody", os.environ["QUIPU_KEY"])


asyncio.run(main())
print("ok")
