import { HeadReader, type ProgramHead } from './programHead';

const DOS_MAGIC = 0x5a_4d;
const PLACE_OF_HEADER = 0x3c;
const MAGIC = 0x00_00_45_50;

/** Architectures by `Machine` in the COFF header. */
const MACHINES: Readonly<Record<number, 'amd64' | 'arm64' | 'arm32v7' | '386'>> = {
  0x86_64: 'amd64',
  0xaa_64: 'arm64',
  0x01_c4: 'arm32v7',
  0x01_4c: '386',
};

/** Parses the head of a PE file for Windows; returns undefined for other files. */
export function readPortableHead(head: Uint8Array): ProgramHead | undefined {
  const reader = new HeadReader(head, true);
  const header = reader.double(PLACE_OF_HEADER);
  if (reader.word(0) !== DOS_MAGIC || header === undefined) return undefined;
  if (reader.double(header) !== MAGIC) return undefined;
  const architecture = MACHINES[reader.word(header + 4) ?? 0];
  return architecture === undefined
    ? { kind: 'foreign', format: 'PE' }
    : { kind: 'program', platform: `windows/${architecture}` };
}
