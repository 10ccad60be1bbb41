// The yardstick from the official TypeScript SDK: a stdio server with the tools `list` and `output`, whose
// answers are as long as its two arguments say.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const texts = { list: 'x'.repeat(Number(process.argv[2])), output: 'x'.repeat(Number(process.argv[3])) };
const server = new Server({ name: 'yardstick', version: '1' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.keys(texts).map((name) => ({ name, inputSchema: { type: 'object' } })),
}));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
    content: [{ type: 'text', text: texts[params.name] }],
}));
await server.connect(new StdioServerTransport());
