import * as vscode from 'vscode';
import { displayName } from '../../core/model/displayText';
import { belongsToText } from './belongsToText';
import { confirmByName } from './prompts';

const LONGEST_TYPED_NAME = 60;

export interface Deletion {
  /** Such as `Delete Machine`. */
  readonly title: string;
  readonly name: string;
  readonly id: string;
  /** What it belongs to; undefined for an organization itself. */
  readonly organization: { readonly name: string; readonly id: string } | undefined;
  /** What comes of it, one sentence each: said before all else. */
  readonly consequences?: readonly string[];
  /** What goes with it, one phrase each. */
  readonly alsoDeleted?: readonly string[];
}

/**
 * Asks to type the name of what is about to be deleted, after saying where it is and what goes with
 * it. A name that cannot be typed is replaced by the id. Throws `canceled`.
 */
export async function confirmDeletion(deletion: Deletion): Promise<void> {
  const { title, organization, consequences = [], alsoDeleted = [] } = deletion;
  const expected = typedName(deletion);
  const sentences = [
    ...consequences,
    ...(organization ? [belongsToText(organization)] : []),
    ...(alsoDeleted.length === 0
      ? []
      : [vscode.l10n.t('This also deletes {0}.', alsoDeleted.join(', '))]),
    vscode.l10n.t('This can\'t be undone. Type "{0}" to confirm.', expected),
  ];
  await confirmByName({
    title: `${title} "${displayName(deletion)}"`,
    prompt: sentences.join(' '),
    name: expected,
  });
}

function typedName({ name, id }: Deletion): string {
  const isShownAsIs = displayName({ name, id }) === name && name.trim() === name;
  return isShownAsIs && name.length <= LONGEST_TYPED_NAME ? name : id;
}
