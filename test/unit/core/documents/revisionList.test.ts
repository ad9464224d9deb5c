import assert from 'node:assert/strict';
import { sameJsonText } from '../../../../src/core/documents/jsonText';
import {
  findContentEdit,
  findReplacedState,
  type HistorySource,
  listRevisions,
} from '../../../../src/core/documents/revisionList';
import type { HistoryEntry } from '../../../../src/core/model/entities';
import type { VersionToken } from '../../../../src/core/model/timestamp';

const at = (second: number): VersionToken => `${second}.000000000` as VersionToken;
const entry = (second: number, rpm: number | undefined, name = 'arm'): HistoryEntry => ({
  editedOn: at(second),
  editor: { kind: 'user', name: `user-${second}@acme.test`, deactivated: false },
  old: rpm === undefined ? undefined : { name, configText: `{"rpm": ${rpm}}` },
});
const current = { text: '{"rpm": 4}', version: at(30), name: 'arm' };

describe('listRevisions', () => {
  it('assigns to each edit its new state, although the service returns the previous one', () => {
    const revisions = listRevisions(current, [entry(30, 3), entry(20, 2)], true);
    assert.deepEqual(
      revisions.map(({ key, madeOn, editor, text }) => [key, madeOn, editor?.name, text]),
      [
        ['current', at(30), 'user-30@acme.test', '{"rpm": 4}'],
        [at(30), at(20), 'user-20@acme.test', '{"rpm": 3}'],
        [at(20), undefined, undefined, '{"rpm": 2}'],
      ],
    );
    assert.deepEqual(revisions[1]?.changes, [
      { kind: 'changed', path: ['rpm'], before: '2', after: '3' },
    ]);
    assert.equal(revisions[2]?.changes, undefined);
  });

  it('omits the oldest state while its editor is on the next page', () => {
    assert.equal(listRevisions(current, [entry(30, 3), entry(20, 2)], false).length, 2);
  });

  it('returns one state without edits', () => {
    assert.equal(listRevisions(current, [], true).length, 1);
  });

  it('reports renames, and handles texts that were not stored', () => {
    const revisions = listRevisions(current, [entry(30, 4, 'old arm'), entry(20, undefined)], true);
    assert.equal(revisions[0]?.renamedFrom, 'old arm');
    assert.deepEqual(revisions[0].changes, []);
    assert.equal(revisions[1]?.changes, undefined);
    assert.equal(revisions[2]?.text, undefined);
  });
});

describe('findReplacedState', () => {
  const pages: Record<string, HistoryEntry[]> = { '': [entry(30, 3)], p2: [entry(20, 2)] };
  const history: HistorySource = ({ pageToken = '' }) =>
    Promise.resolve({
      items: pages[pageToken] ?? [],
      nextPageToken: pageToken === '' ? 'p2' : '',
    });

  it('reads pages until it finds the state', async () => {
    assert.equal((await findReplacedState(history, at(20)))?.configText, '{"rpm": 2}');
    assert.equal((await findReplacedState(history, at(30)))?.configText, '{"rpm": 3}');
  });

  it('stops at the end of the history', async () => {
    assert.equal(await findReplacedState(history, at(10)), undefined);
  });
});

describe('findContentEdit', () => {
  const createHistory =
    (...pages: HistoryEntry[][]): HistorySource =>
    ({ pageToken = '0' }) => {
      const next = Number(pageToken) + 1;
      const items = pages[Number(pageToken)] ?? [];
      return Promise.resolve({ items, nextPageToken: next < pages.length ? String(next) : '' });
    };
  const find = async (history: HistorySource, text: string): Promise<string | undefined> =>
    (await findContentEdit(history, text, sameJsonText))?.editedOn;

  it('returns the newest edit if it changed the content', async () => {
    assert.equal(await find(createHistory([entry(30, 3), entry(20, 2)]), '{"rpm": 4}'), at(30));
  });

  it('skips renames and new layouts, over pages', async () => {
    const history = createHistory(
      [entry(40, 4), entry(30, 4)],
      [entry(25, 4, 'leg'), entry(20, 2)],
    );
    assert.equal(await find(history, '{ "rpm":4 }'), at(20));
  });

  it('skips an edit that was made after the text was read', async () => {
    assert.equal(await find(createHistory([entry(30, 3), entry(20, 2)]), '{"rpm": 3}'), at(20));
  });

  it('returns nothing if no edit, or an unknown one, created the text', async () => {
    assert.equal(await find(createHistory([]), '{"rpm": 4}'), undefined);
    assert.equal(await find(createHistory([entry(30, 4)]), '{"rpm": 4}'), undefined);
    const unknown = createHistory([entry(30, undefined), entry(20, 2)]);
    assert.equal(await find(unknown, '{"rpm": 4}'), undefined);
  });
});
