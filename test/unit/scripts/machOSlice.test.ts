import assert from 'node:assert/strict';
import { machOSlice, type MachOArchitecture } from '../../../scripts/support/machOSlice';

const cpuTypes = { x64: 0x0100_0007, arm64: 0x0100_000c };
const sliceStart = 4096;

function thin(architecture: MachOArchitecture): Buffer {
  const file = Buffer.alloc(64, architecture);
  file.writeUInt32LE(0xfeedfacf, 0);
  file.writeUInt32LE(cpuTypes[architecture], 4);
  return file;
}

/**
 * Returns a universal file in the layout that the linker creates: a table, then each file on a
 * separate page.
 */
function universal(architectures: readonly MachOArchitecture[], wide = false): Buffer {
  const file = Buffer.alloc(sliceStart * (architectures.length + 1));
  file.writeUInt32BE(wide ? 0xcafebabf : 0xcafebabe, 0);
  file.writeUInt32BE(architectures.length, 4);
  architectures.forEach((architecture, index) => {
    const code = thin(architecture);
    const offset = sliceStart * (index + 1);
    const entry = 8 + index * (wide ? 32 : 20);
    file.writeUInt32BE(cpuTypes[architecture], entry);
    if (wide) {
      file.writeBigUInt64BE(BigInt(offset), entry + 8);
      file.writeBigUInt64BE(BigInt(code.length), entry + 16);
    } else {
      file.writeUInt32BE(offset, entry + 8);
      file.writeUInt32BE(code.length, entry + 12);
    }
    code.copy(file, offset);
  });
  return file;
}

describe('machOSlice', () => {
  for (const wide of [false, true]) {
    it(`extracts each architecture of a universal file with ${wide ? 64 : 32}-bit offsets`, () => {
      const file = universal(['x64', 'arm64'], wide);
      assert.deepEqual(machOSlice(file, 'x64'), thin('x64'));
      assert.deepEqual(machOSlice(file, 'arm64'), thin('arm64'));
    });
  }

  it('returns a file for the architecture unchanged', () => {
    assert.deepEqual(machOSlice(thin('arm64'), 'arm64'), thin('arm64'));
  });

  it('rejects a file without the architecture', () => {
    assert.throws(() => machOSlice(universal(['x64']), 'arm64'), /holds no code for arm64/);
    assert.throws(() => machOSlice(thin('x64'), 'arm64'), /no Mach-O file for arm64/);
  });

  it('rejects a file that ends too early', () => {
    const whole = universal(['x64', 'arm64']);
    const short = whole.subarray(0, 2 * sliceStart + 10);
    assert.throws(() => machOSlice(short, 'arm64'), /holds no code for arm64/);
  });
});
