import assert from 'node:assert/strict';
import { organizationId } from '../../src/core/model/ids';
import type { PackageEntry, PackageFileInfo } from '../../src/core/model/registryPackage';
import { loadModelMetrics } from '../../src/host/features/registry/itemPage/loadModelMetrics';
import type { PageMetrics } from '../../src/shared/registryItem';
import { rawArchive } from '../support/archives';

const MIB = 1024 * 1024;

function file(name: string, size = 100): PackageEntry {
  return { name, size, isDirectory: false };
}

/** Reads the metrics of a version that lists some files and has some files in its archive. */
async function readVersionMetrics(
  files: readonly PackageEntry[],
  archive: Readonly<Record<string, string>>,
): Promise<PageMetrics> {
  const info: PackageFileInfo = {
    organizationId: organizationId('o'),
    name: 'cups',
    version: '1',
    type: 'mlModel',
    platform: 'any',
    url: 'https://x/',
    checksum: '',
    createdOn: undefined,
    metadata: {},
    files,
    sizeBytes: files.reduce((sum, { size }) => sum + size, 0),
  };
  const bytes = rawArchive(Object.entries(archive).map(([path, content]) => ({ path, content })));
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(bytes);
  }
  const content = () =>
    Promise.resolve({ chunks: chunks(), start: 0, size: bytes.length, version: undefined });
  return loadModelMetrics({ content }, info, AbortSignal.timeout(10_000));
}

describe('the metrics of a model', () => {
  it('are read from its metrics.json', async () => {
    const metrics = { 'metrics.json': '{"accuracy":0.5}' };
    const { facts, problem } = await readVersionMetrics([file('metrics.json')], metrics);
    assert.deepEqual([facts.length, problem], [1, undefined]);
  });

  it('are undefined without a metrics.json', async () => {
    const { facts, problem } = await readVersionMetrics([file('a'), file('b', 900 * MIB)], {});
    assert.deepEqual([facts, problem], [[], undefined]);
  });

  it('report why they are not loaded if the version is too large', async () => {
    const files = [file('metrics.json'), file('model.onnx', 900 * MIB)];
    const { facts, problem = '', files: versionFiles } = await readVersionMetrics(files, {});
    assert.deepEqual([facts, versionFiles.length], [[], 2]);
    assert.match(
      problem,
      /^This version is too large \(944 MB\) to inspect\. Metrics are only read from versions up to 67.* MB/,
    );
  });

  it('report why they are not loaded if the listed metrics.json cannot be found', async () => {
    const { problem = '' } = await readVersionMetrics([file('metrics.json')], { other: 'x' });
    assert.match(
      problem,
      /^The version's metrics\.json is too large to read, or the archive is damaged\./,
    );
  });

  it('of 200 labels are read, and omit a matrix that is too large for the page', async () => {
    const labels = Array.from({ length: 200 }, (_, index) => ({ label: `label ${index}` }));
    const confusion = labels.map(() => labels.map(() => 1));
    const content = JSON.stringify({ heldOut: { accuracy: 0.5, labels, confusion } }, null, 2);
    const { tables, problem } = await readVersionMetrics([file('metrics.json')], {
      'metrics.json': content,
    });
    assert.equal(problem, undefined);
    assert.deepEqual([tables.length, tables[0]?.rows.length], [1, 200]);
  });
});
