import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fromRoot } from '../../../../scripts/support/paths';
import * as layout from '../../../../src/service/files/dataDirectoryLayout';

describe('dataDirectoryLayout', () => {
  it('contains the files and folders that the README of the service describes', () => {
    const readme = readFileSync(fromRoot('src/service/README.md'), 'utf8');
    const [, section = ''] = readme.split('## The data directory');
    const [table = ''] = section.split('\n## ');
    const described = [...table.matchAll(/^\| `([^`]+?)\/?`/gm)].map(([, name]) => name);
    assert.deepEqual(described.sort(), Object.values(layout).sort());
  });
});
