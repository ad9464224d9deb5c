import assert from 'node:assert/strict';
import { listDroppedFiles } from '../../webview/data/drops/droppedTree';

/** Returns a file or folder as browsers provide it; without content, reading it fails. */
function entry(name: string, content?: readonly FileSystemEntry[] | 'file'): FileSystemEntry {
  const isFile = content === undefined || content === 'file';
  const failToRead = (_: unknown, reject: (error: Error) => void): void =>
    reject(new Error('refused'));
  const rest = Array.isArray(content) ? [content, []] : [];
  const made = {
    name,
    isFile,
    isDirectory: !isFile,
    file:
      content === 'file'
        ? (resolve: (file: File) => void) => resolve(new File([], name))
        : failToRead,
    createReader: () => ({
      readEntries: (resolve: (some: readonly unknown[]) => void) => resolve(rest.shift() ?? []),
    }),
  };
  return made as unknown as FileSystemEntry;
}

describe('files dropped into the data panel', () => {
  it('exclude unreadable ones, which are named', async () => {
    const folder = entry('photos', [entry('a.jpg', 'file'), entry('locked.jpg'), entry('.hidden')]);
    const { files, hidden, unreadable } = await listDroppedFiles([folder, entry('alone.jpg')]);
    assert.deepEqual(
      files.map(({ path }) => path),
      ['photos/a.jpg'],
    );
    assert.deepEqual(hidden, ['photos/.hidden']);
    assert.deepEqual(unreadable, ['photos/locked.jpg', 'alone.jpg']);
  });
});
