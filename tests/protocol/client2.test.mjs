// The official client of the second generation (@modelcontextprotocol/client 2.x) against the program.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Isolated, program } from './isolated.mjs';
import { kTools, session } from './flow.mjs';

const legacy = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'].map((revision) => ({
    title: `asks for ${revision}`,
    revision,
    era: 'legacy',
    options: { supportedProtocolVersions: [revision] },
}));
const modern = [
    { title: 'probes', revision: '2026-07-28', era: 'modern', options: { versionNegotiation: { mode: 'auto' } } },
    { title: 'insists', revision: '2026-07-28', era: 'modern', options: { versionNegotiation: { mode: { pin: '2026-07-28' } } } },
];

for (const { title, revision, era, options } of [...legacy, ...modern]) {
    test(`the client of generation 2 ${title} and leads a session in ${revision}`, { timeout: 60_000 }, async () => {
        const isolated = new Isolated();
        const client = new Client({ name: 'protocol-test', version: '1' }, options);
        await client.connect(new StdioClientTransport({ command: program, args: ['mcp'], env: isolated.environment() }));
        try {
            assert.equal(client.getNegotiatedProtocolVersion(), revision);
            assert.equal(client.getProtocolEra(), era);
            assert.equal(client.getServerVersion().name, 'bgshell');
            assert.ok(client.getInstructions().length > 100);
            const { tools } = await client.listTools();
            assert.deepEqual(tools.map((tool) => tool.name), kTools);
            await session((name, args) => client.callTool({ name, arguments: args }));
        } finally {
            await client.close();
        }
        await isolated.close();
    });
}
