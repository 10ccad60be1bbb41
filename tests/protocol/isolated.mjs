// A state directory of its own for each test, and the proof that nothing of it lives afterwards.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const program = process.env.BGSHELL_PROGRAM ?? assert.fail('BGSHELL_PROGRAM is not set');

export class Isolated {
    constructor() {
        this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bgshell-protocol-'));
        this.state = path.join(this.folder, 'state');
    }
    // What a client gives its server: where to find programs, and our state.
    environment() {
        return {
            PATH: process.env.PATH,
            HOME: this.folder,
            BGSHELL_STATE: this.state,
            BGSHELL_ORPHAN_GRACE_S: '0',
            BGSHELL_SHELL_LOGIN_PATH: 'false',
        };
    }
    // Processes with this state directory in their environment or among their files: front ends, keepers
    // and jobs alike.
    processes() {
        const found = [];
        for (const pid of fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
            if (Number(pid) === process.pid) continue;
            try {
                const files = fs.readdirSync(`/proc/${pid}/fd`).map((fd) => {
                    try {
                        return fs.readlinkSync(`/proc/${pid}/fd/${fd}`);
                    } catch {
                        return '';
                    }
                });
                const ours = files.some((file) => file.startsWith(this.folder)) ||
                    fs.readFileSync(`/proc/${pid}/environ`, 'latin1').includes(this.folder);
                if (ours) found.push(`${pid} ${fs.readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')}`);
            } catch {
                // It ended while we looked.
            }
        }
        return found;
    }
    async close() {
        const deadline = Date.now() + 15_000;
        while (this.processes().length > 0 && Date.now() < deadline) await sleep(20);
        assert.deepEqual(this.processes(), [], 'processes outlive their session');
        fs.rmSync(this.folder, { recursive: true });
    }
}

// The first value of `look` that is neither false nor undefined.
export async function until(what, look, milliseconds = 10_000) {
    const deadline = Date.now() + milliseconds;
    for (;;) {
        const value = await look();
        if (value) return value;
        assert.ok(Date.now() < deadline, `${what}: not within ${milliseconds} ms`);
        await sleep(20);
    }
}
