import type { ItemAction } from '../../../src/shared/data/actions';

/** The key of each action, as shown to users. */
export const ACTION_KEYS: Readonly<Record<ItemAction, string>> = {
  addTags: 'T',
  removeTags: '⇧T',
  proposeLabels: 'P',
  addToDataset: 'D',
  removeFromDataset: '⇧D',
  download: 'S',
  delete: 'Del',
};

/** Returns the action that a key triggers; undefined if there is none. */
export function getKeyAction({
  key,
  shiftKey,
  ctrlKey,
  metaKey,
  altKey,
}: KeyboardEvent): ItemAction | 'undo' | undefined {
  const control = ctrlKey || metaKey;
  if (altKey) return undefined;
  if (control) return key.toLowerCase() === 'z' && !shiftKey ? 'undo' : undefined;
  switch (key.toLowerCase()) {
    case 't':
      return shiftKey ? 'removeTags' : 'addTags';
    case 'p':
      return shiftKey ? undefined : 'proposeLabels';
    case 'd':
      return shiftKey ? 'removeFromDataset' : 'addToDataset';
    case 's':
      return shiftKey ? undefined : 'download';
    case 'delete':
      return shiftKey ? undefined : 'delete';
    default:
      return undefined;
  }
}
