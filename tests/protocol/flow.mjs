// One session as an agent leads it, through whichever client: `call(tool, arguments)` answers a
// CallToolResult.
import assert from 'node:assert/strict';
import { until } from './isolated.mjs';

const kId = /^[a-hjkmnp-tv-z][0-9a-hjkmnp-tv-z]{7}(?= )/;

export const kTools = ['start', 'await', 'output', 'send', 'cancel', 'list'];

export async function session(call) {
    const text = async (tool, args) => {
        const result = await call(tool, args);
        assert.equal(result.content[0].type, 'text');
        return result.content[0].text;
    };
    const started = async (args) => {
        const answer = await text('start', args);
        return answer.match(kId)?.[0] ?? assert.fail(`no id on line 1: ${answer}`);
    };

    // A build that fails, while something else is done.
    const build = await started({
        command: 'for i in 1 2 3; do echo "compile $i"; sleep 0.1; done; echo "a.cpp:14:3: error: boom"; exit 2',
        title: 'build',
        wait_s: 0,
    });
    const quick = await call('start', { command: 'echo hi' });
    assert.match(quick.content[0].text, /^\w{8} succeeded after [\d.]+ s\n(?:.*\n)*output \(untrusted\):\nhi$/m);
    const other = quick.content[0].text.match(kId)[0];
    await until('the end of the build is told', async () => {
        const answer = await text('output', { id: other });
        return answer.includes('also ended since you last looked:') &&
            answer.includes(`${build} "build" failed, exit code 2, after`);
    });
    assert.match(await text('await', { ids: [build], wait_s: 5 }), /^\w{8} "build" failed, exit code 2, after/);
    assert.match(await text('output', { id: build, grep: 'error' }), /^\d+: a\.cpp:14:3: error: boom$/m);

    // A program that reads.
    const reader = await started({ command: 'while read -r line; do echo "got $line"; done', open_stdin: true, wait_s: 0 });
    assert.match(await text('send', { id: reader, text: 'one\n', wait_for: 'got one', wait_s: 10 }), /got one/);
    await text('send', { id: reader, eof: true });
    assert.match(await text('await', { ids: [reader], wait_s: 10 }), /succeeded after/);

    // A server with children of its own.
    const server = await started({ command: 'sleep 300 & setsid sleep 300 & echo up; wait', service: true, wait_for: 'up', wait_s: 10 });
    assert.match(await text('await', { mode: 'all', wait_s: 1 }), /1 service/);
    const stopped = await call('cancel', { ids: [server], grace_s: 2 });
    assert.ok(!stopped.isError, stopped.content[0].text);
    assert.match(stopped.content[0].text, /cancelled after .*: \d+ processes gone/);

    const list = await text('list', {});
    assert.match(list, /^0 running/);
    for (const id of [build, other, reader, server]) assert.ok(list.includes(id), `${id} is not in ${list}`);

    // Faults are answers that name what is wrong.
    const unknown = await call('output', { id: 'nosuch00' });
    assert.equal(unknown.isError, true);
    assert.match(unknown.content[0].text, /no job "nosuch00"/);
    const misspelt = await call('start', { command: 'true', timeout_ms: 3 });
    assert.equal(misspelt.isError, true);
    assert.match(misspelt.content[0].text, /timeout_ms/);
}
