// A session as an agent leads it, through the official MCP client, printed as it goes.
//   node session.mjs PROGRAM FOLDER     FOLDER: an empty directory for the state and the sources
import fs from 'node:fs';
import net from 'node:net';
import { createRequire } from 'node:module';
import path from 'node:path';

const [program, folder] = process.argv.slice(2);
// The client lies with the protocol tests, which pin its version.
const require = createRequire(new URL('../tests/protocol/package.json', import.meta.url));
const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');

const say = (text) => console.log(`\n# ${text}`);

fs.writeFileSync(path.join(folder, 'primes.cpp'), `#include <iostream>
int main() {
    int count = 0;
    for (int n = 2; n < 100000; ++n) {
        bool prime = true;
        for (int d = 2; d * d <= n && prime; ++d) prime = n % d != 0;
        count += prime;
    }
    std::cout << count << " primes below 100000\\n";
}
`);
fs.writeFileSync(path.join(folder, 'tests.sh'), `for i in $(seq 1 400); do echo "ok $i - case $i"; done
echo 'not ok 401 - cart_test.js:27: expected 3 items, got 2'
echo '1 of 401 failed'
exit 1
`);
fs.writeFileSync(path.join(folder, 'server.mjs'), `import http from 'node:http';
const server = http.createServer((_, answer) => answer.end('hello\\n'));
server.listen(0, '127.0.0.1', () => console.log('listening on port ' + server.address().port));
`);

const client = new Client({ name: 'quickstart', version: '1' });
await client.connect(new StdioClientTransport({
    command: program,
    args: ['mcp'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, BGSHELL_STATE: path.join(folder, 'state'), BGSHELL_ORPHAN_GRACE_S: '0' },
    cwd: folder,
}));

async function call(tool, args) {
    console.log(`\n> ${tool} ${JSON.stringify(args)}`);
    const result = await client.callTool({ name: tool, arguments: args });
    const text = result.content[0].text;
    console.log(text.replace(/\n$/, '').replace(/^/gm, '  '));
    return text;
}
const idOf = (text) => text.slice(0, 8);

try {
    say('A compile and a test run are started at once. Neither is waited for.');
    const compile = idOf(await call('start', { command: 'g++ -O2 primes.cpp -o primes && ./primes', title: 'compile', wait_s: 0 }));
    const tests = idOf(await call('start', { command: 'sh tests.sh', title: 'tests', wait_s: 0 }));

    say('Something else meanwhile. Its answer also tells what has ended.');
    await call('start', { command: 'sleep 3; uname -sr', title: 'kernel', wait_s: 10 });

    say('The compile is awaited; it may have ended already.');
    await call('await', { ids: [compile], wait_s: 40 });

    say('What went wrong in the tests? grep is the cheap way into a long log.');
    await call('output', { id: tests, grep: '^not ok' });

    say('A server with a child of its own, ready when it says so, then stopped with everything it started.');
    const ready = await call('start', { command: `${process.execPath} server.mjs & sleep 300 & wait`, title: 'server', service: true, wait_for: 'listening on port', wait_s: 20 });
    const port = Number(ready.match(/listening on port (\d+)/)[1]);
    await call('cancel', { ids: [idOf(ready)] });
    const refused = await new Promise((resolve) => {
        const socket = net.connect(port, '127.0.0.1');
        socket.on('connect', () => resolve(false)).on('error', () => resolve(true));
    });
    say(refused ? `Port ${port} is free again.` : `Port ${port} still answers: this is a bug.`);
    if (!refused) process.exitCode = 1;

    await call('list', {});
} finally {
    await client.close();
}
