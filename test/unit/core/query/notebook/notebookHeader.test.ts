import assert from 'node:assert/strict';
import {
  headerEnd,
  organizationIn,
  withOrganization,
} from '../../../../../src/core/query/notebook/notebookHeader';

const acme = { id: '4a7c-01', name: 'Acme Robotics' };

describe('the header of a notebook', () => {
  it('names the organization of the readings', () => {
    const header = withOrganization('', acme, '\n');
    assert.equal(header, '---\norganization: 4a7c-01 # Acme Robotics\n---');
    assert.deepEqual(organizationIn(header), acme);
    assert.equal(headerEnd(`${header}\n\n# Title`), header.length);
  });

  it('preserves all other members', () => {
    const header = '---\r\ntitle: Warm parts\r\norganization: old\r\ntags:\r\n  - a\r\n---';
    assert.equal(
      withOrganization(header, acme, '\r\n'),
      header.replace('old', '4a7c-01 # Acme Robotics'),
    );
    assert.equal(
      withOrganization('---\ntitle: x\n---', acme, '\n'),
      '---\ntitle: x\norganization: 4a7c-01 # Acme Robotics\n---',
    );
  });

  it('is ignored if it does not end, or contains no members', () => {
    for (const text of ['---\norganization: a', '---\nSome words\n---', 'a\n---\nb: 1\n---']) {
      assert.equal(headerEnd(text), 0, text);
    }
  });

  it('accepts any ID and any name', () => {
    for (const id of ['a b', 'a"#', '--- \n', '#', '"']) {
      const name = `Two\nlines # and more \u202E${'x'.repeat(1000)}`;
      const header = withOrganization('', { id, name }, '\n');
      assert.equal(header.split('\n').length, 3, header);
      assert.equal(organizationIn(header)?.id, id);
    }
  });

  it('is omitted without an organization', () => {
    for (const header of [
      '',
      '---\ntitle: a\n---',
      '---\norganization:\n---',
      '---\n organization: a\n---',
    ]) {
      assert.equal(organizationIn(header), undefined, header);
    }
  });
});
