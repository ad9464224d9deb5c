import * as vscode from 'vscode';
import { formatOwner } from '../../../core/confirmations/confirmation';
import { displayName } from '../../../core/model/displayText';
import { confirmByName } from './prompts';

const MAX_TYPED_NAME_LENGTH = 60;

export interface Deletion {
  /** Title such as `Delete Machine`. */
  readonly title: string;
  readonly name: string;
  readonly id: string;
  /** Organization that the resource belongs to; undefined for an organization itself. */
  readonly organization: { readonly name: string; readonly id: string } | undefined;
  /** Consequences, one sentence each, displayed before the other text. */
  readonly consequences?: readonly string[];
  /** Other resources that are also deleted, one phrase each. */
  readonly alsoDeleted?: readonly string[];
}

/**
 * Prompts the user to type a resource's name before it is deleted, and shows its organization and
 * the consequences. Uses the ID if the name can't be typed. Throws `canceled`.
 */
export async function confirmDeletion(deletion: Deletion): Promise<void> {
  const { title, organization, consequences = [], alsoDeleted = [] } = deletion;
  const expected = typedName(deletion);
  const sentences = [
    ...consequences,
    ...(organization ? [formatOwner(organization, vscode.l10n)] : []),
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
  return isShownAsIs && name.length <= MAX_TYPED_NAME_LENGTH ? name : id;
}
