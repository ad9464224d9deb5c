import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import {
  HEAD_BYTES,
  platformFits,
  readProgramHead,
} from '../../../../src/core/modules/binaryPlatform';
import { machinePlatform } from '../../../../src/core/modules/buildPlan';
import {
  elfHead,
  elfMachines,
  fatMachHead,
  machHead,
  machProcessors,
  portableHead,
  portableMachines,
} from './programHeads';

const text = (content: string): Uint8Array => new TextEncoder().encode(content);

function getPlatform(head: Uint8Array): string | undefined {
  const found = readProgramHead(head);
  return found.kind === 'program' ? found.platform : undefined;
}

describe('the platform of a program', () => {
  it('is read from the header of ELF', () => {
    const { amd64, arm64, arm, x86 } = elfMachines;
    assert.equal(getPlatform(elfHead({ machine: amd64 })), 'linux/amd64');
    assert.equal(getPlatform(elfHead({ machine: arm64, abi: 3 })), 'linux/arm64');
    assert.equal(getPlatform(elfHead({ machine: arm, is64: false })), 'linux/arm32v7');
    assert.equal(getPlatform(elfHead({ machine: x86, is64: false })), 'linux/386');
  });

  it('is Android if its linker starts the program', () => {
    const of = (machine: number, is64: boolean, linker: string): string | undefined =>
      getPlatform(elfHead({ machine, is64, linker }));
    assert.equal(of(elfMachines.arm64, true, '/system/bin/linker64'), 'android/arm64');
    assert.equal(of(elfMachines.arm, false, '/system/bin/linker'), 'android/arm32v7');
    assert.equal(of(elfMachines.arm64, true, '/lib/ld-linux-aarch64.so.1'), 'linux/arm64');
  });

  it('is read from the header of Mach-O, including files for several architectures', () => {
    const { amd64, arm64 } = machProcessors;
    assert.equal(getPlatform(machHead(amd64)), 'darwin/amd64');
    assert.equal(getPlatform(machHead(arm64)), 'darwin/arm64');
    assert.equal(getPlatform(fatMachHead([amd64, arm64])), 'darwin/any');
    assert.equal(getPlatform(fatMachHead([amd64, arm64], true)), 'darwin/any');
    assert.equal(getPlatform(fatMachHead([arm64])), 'darwin/arm64');
  });

  it('is read from the header of PE', () => {
    assert.equal(getPlatform(portableHead(portableMachines.amd64)), 'windows/amd64');
    assert.equal(getPlatform(portableHead(portableMachines.arm64)), 'windows/arm64');
    assert.equal(getPlatform(portableHead(portableMachines.x86)), 'windows/386');
  });

  it('matches this machine for the running program', async () => {
    const file = await open(process.execPath);
    try {
      const head = new Uint8Array(HEAD_BYTES);
      await file.read(head, 0, HEAD_BYTES, 0);
      const own = getPlatform(head);
      assert.notEqual(own, undefined);
      assert.equal(own, machinePlatform(process.platform, process.arch));
    } finally {
      await file.close();
    }
  });

  it('is undefined if the registry does not support it', () => {
    const foreign = (head: Uint8Array): unknown => readProgramHead(head);
    const { mips, riscv, amd64 } = elfMachines;
    assert.deepEqual(foreign(elfHead({ machine: mips, is64: false, isBigEndian: true })), {
      kind: 'foreign',
      format: 'ELF',
    });
    assert.deepEqual(foreign(elfHead({ machine: riscv })), { kind: 'foreign', format: 'ELF' });
    // FreeBSD, and the 32-bit form of amd64.
    assert.equal(getPlatform(elfHead({ machine: amd64, abi: 9 })), undefined);
    assert.equal(getPlatform(elfHead({ machine: amd64, is64: false })), undefined);
    assert.deepEqual(foreign(machHead(machProcessors.power, false)), {
      kind: 'foreign',
      format: 'Mach-O',
    });
    assert.deepEqual(foreign(portableHead(portableMachines.ia64)), {
      kind: 'foreign',
      format: 'PE',
    });
  });

  it('is undefined for files that are not programs, even short or unusual ones', () => {
    const java = new Uint8Array([0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 65, 1, 2, 3, 4]);
    const lying = portableHead(portableMachines.amd64, 0xff_ff_ff_f0);
    for (const head of [new Uint8Array(0), java, lying, text('MZ'), text('\x7fEL'), text('{}')]) {
      assert.deepEqual(readProgramHead(head), { kind: 'unknown' });
    }
    for (let length = 0; length < 120; length += 1) {
      readProgramHead(elfHead({ machine: elfMachines.amd64 }).subarray(0, length));
      readProgramHead(fatMachHead([machProcessors.amd64]).subarray(0, length));
    }
  });

  it('of a script includes its interpreter and the line ending', () => {
    assert.deepEqual(readProgramHead(text('#!/bin/sh\necho\n')), {
      kind: 'script',
      interpreter: '/bin/sh',
      hasCarriageReturn: false,
    });
    assert.deepEqual(readProgramHead(text('#! /usr/bin/env python3 \r\nimport os\r\n')), {
      kind: 'script',
      interpreter: '/usr/bin/env python3',
      hasCarriageReturn: true,
    });
  });
});

describe('a program in an archive', () => {
  it('matches its own platform, and compatible ones', () => {
    assert.ok(platformFits('linux/amd64', 'linux/amd64'));
    assert.ok(platformFits('linux/amd64', 'linux/any'));
    assert.ok(platformFits('linux/amd64', 'any'));
    assert.ok(platformFits('darwin/any', 'darwin/arm64'));
    assert.ok(platformFits('linux/arm32v7', 'linux/arm32v6'));
    assert.ok(platformFits('linux/arm64', 'android/arm64'));
  });

  it('does not match others', () => {
    assert.ok(!platformFits('linux/amd64', 'linux/arm64'));
    assert.ok(!platformFits('darwin/arm64', 'linux/arm64'));
    assert.ok(!platformFits('linux/arm32v7', 'linux/arm64'));
    assert.ok(!platformFits('android/arm64', 'linux/arm64'));
  });
});
