import * as vscode from 'vscode';
import { DisposableSet } from '../../../base/disposable';
import { canceled } from '../../../core/api/errors';
import { isDatasetTag, type TagProblem, tagProblem } from '../../../core/model/binaryItem';
import { toQuickPickText } from '../text/displayText';

interface TagChoice extends vscode.QuickPickItem {
  readonly tag: string;
}

export interface TagPickOptions {
  readonly title: string;
  readonly placeholder: string;
  /** Existing tags. */
  readonly known: Promise<readonly string[]>;
  /** True to let the user add new tags. */
  readonly canBeNew: boolean;
  /** Initially checked tags. If specified, the user can uncheck all of them. */
  readonly chosen?: readonly string[] | undefined;
}

/**
 * Prompts for existing and new tags. Requires at least one tag, unless some tags were initially
 * checked. Throws `canceled`, and errors from reading the tags.
 */
export async function promptForTags(options: TagPickOptions): Promise<readonly string[]> {
  const owned = new DisposableSet();
  const pick = owned.add(vscode.window.createQuickPick<TagChoice>());
  pick.title = options.title;
  pick.placeholder = options.placeholder;
  pick.canSelectMany = true;
  pick.ignoreFocusOut = true;
  pick.busy = true;
  let known: readonly string[] = [];
  let checkedAtTyping: readonly string[] = [];
  const show = (before: readonly string[] = pick.selectedItems.map(({ tag }) => tag)): void => {
    const chosen = new Set(before);
    pick.items = choices([...chosen, ...known], options.canBeNew ? pick.value.trim() : '');
    pick.selectedItems = pick.items.filter(({ tag }) => chosen.has(tag));
  };
  try {
    return await new Promise<readonly string[]>((resolve, reject) => {
      owned.add(
        pick.onDidChangeValue(() => {
          checkedAtTyping = pick.selectedItems.map(({ tag }) => tag);
          show();
        }),
      );
      owned.add(
        pick.onDidAccept(() => {
          const tags = chosenTags(pick, checkedAtTyping, options.chosen !== undefined);
          if (tags.length > 0 || options.chosen) resolve(tags);
        }),
      );
      owned.add(pick.onDidHide(() => reject(canceled())));
      show(options.chosen);
      pick.show();
      options.known.then((tags) => {
        known = tags.filter((tag) => !isDatasetTag(tag));
        pick.busy = false;
        show();
      }, reject);
    });
  } finally {
    owned.dispose();
  }
}

/**
 * Returns the checked tags and any text that the user typed after checking them. Ignores text that
 * was typed to find a checked tag. If there are no tags and no text but a tag is required, returns
 * the active tag. VS Code has no active item while the user types.
 */
function chosenTags(
  { selectedItems, activeItems, items, value }: vscode.QuickPick<TagChoice>,
  checkedAtTyping: readonly string[],
  allowsNone: boolean,
): readonly string[] {
  const checked = selectedItems.map(({ tag }) => tag);
  const isSearch = checked.some((tag) => !checkedAtTyping.includes(tag));
  const typed = isSearch ? [] : items.map(({ tag }) => tag).filter((tag) => tag === value.trim());
  const marked = [...new Set([...checked, ...typed])];
  const at = allowsNone ? [] : activeItems.map(({ tag }) => tag);
  const taken = marked.length > 0 ? marked : at;
  return taken.filter((tag) => tagProblem(tag) === undefined);
}

function choices(tags: readonly string[], typed: string): readonly TagChoice[] {
  const listed = [...new Set(tags)].map((tag) => ({ label: toQuickPickText(tag), tag }));
  if (typed === '' || tags.includes(typed)) return listed;
  const problem = tagProblem(typed);
  const added = {
    label: toQuickPickText(typed),
    description: problem ? formatTagProblem(problem) : vscode.l10n.t('New tag'),
    tag: typed,
    alwaysShow: true,
  };
  return [added, ...listed];
}

function formatTagProblem(problem: TagProblem): string {
  switch (problem) {
    case 'empty':
      return vscode.l10n.t("A tag can't be empty.");
    case 'tooLong':
      return vscode.l10n.t('This tag is too long.');
    case 'unusable':
      return vscode.l10n.t('This tag contains a character that is not allowed in tags.');
    case 'ofDataset':
      return vscode.l10n.t('This tag belongs to a dataset. Add the items to that dataset instead.');
  }
}
