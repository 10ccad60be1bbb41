// The official client of the first generation (@modelcontextprotocol/sdk 1.x) against the program.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Isolated, program } from './isolated.mjs';
import { kTools, session } from './flow.mjs';

// The client always asks for its newest revision; this one asks for `revision`.
class RevisionTransport extends StdioClientTransport {
    constructor(parameters, revision) {
        super(parameters);
        this.revision = revision;
    }
    setProtocolVersion(version) {
        this.negotiated = version;
    }
    send(message) {
        if (message.method === 'initialize') message.params.protocolVersion = this.revision;
        return super.send(message);
    }
}

for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    test(`the client of generation 1 leads a session in ${revision}`, { timeout: 60_000 }, async () => {
        const isolated = new Isolated();
        const transport = new RevisionTransport({ command: program, args: ['mcp'], env: isolated.environment() }, revision);
        const client = new Client({ name: 'protocol-test', version: '1' });
        await client.connect(transport);
        try {
            assert.equal(transport.negotiated, revision);
            assert.equal(client.getServerVersion().name, 'bgshell');
            assert.ok(client.getInstructions().length > 100);
            await client.ping();
            const { tools } = await client.listTools();
            assert.deepEqual(tools.map((tool) => tool.name), kTools);
            await session((name, args) => client.callTool({ name, arguments: args }));
        } finally {
            await client.close();
        }
        await isolated.close();
    });
}

test('a cancelled wait ends at once and leaves the job running', { timeout: 60_000 }, async () => {
    const isolated = new Isolated();
    const client = new Client({ name: 'protocol-test', version: '1' });
    await client.connect(new StdioClientTransport({ command: program, env: isolated.environment() }));
    try {
        const start = await client.callTool({ name: 'start', arguments: { command: 'sleep 300', wait_s: 0 } });
        const id = start.content[0].text.slice(0, 8);
        const abort = new AbortController();
        const wait = client.callTool({ name: 'await', arguments: { ids: [id], wait_s: 40 } }, undefined, { signal: abort.signal });
        await client.ping();
        abort.abort('enough');
        await assert.rejects(wait);
        const list = await client.callTool({ name: 'list', arguments: {} });
        assert.match(list.content[0].text, new RegExp(`^${id} running`, 'm'));
    } finally {
        await client.close();
    }
    await isolated.close();  // the session's end has ended the job
});

test('progress arrives while a call waits, and only with a token', { timeout: 60_000 }, async () => {
    const isolated = new Isolated();
    const client = new Client({ name: 'protocol-test', version: '1' });
    await client.connect(new StdioClientTransport({ command: program, env: isolated.environment() }));
    try {
        await client.callTool({ name: 'start', arguments: { command: 'sleep 300', title: 'naps', wait_s: 0 } });
        const seen = [];
        const wait = await client.callTool({ name: 'await', arguments: { wait_s: 12 } }, undefined,
            { onprogress: (progress) => seen.push(progress) });
        assert.match(wait.content[0].text, /running/);
        assert.equal(seen.length, 1);
        assert.ok(seen[0].progress > 0);
    } finally {
        await client.close();
    }
    await isolated.close();
});
