import * as vscode from 'vscode';
import { confirmByName } from '../../platform/prompts';
import { typedName } from '../../platform/typedName';

export interface Deletion {
  /** Such as `Delete Machine`. */
  readonly title: string;
  readonly name: string;
  readonly id: string;
  /** The organization it belongs to; empty for an organization itself. */
  readonly organizationName: string;
  /** What goes with it, one phrase each. */
  readonly alsoDeleted: readonly string[];
}

/**
 * Asks to type the name of what is about to be deleted, after saying where it is and what goes with
 * it. A name that cannot be typed is replaced by the id. Throws `cancelled`.
 */
export async function confirmDeletion(deletion: Deletion): Promise<void> {
  const { title, name, id, organizationName, alsoDeleted } = deletion;
  const { shown, expected } = typedName({ name, id });
  const sentences = [
    ...(organizationName === ''
      ? []
      : [vscode.l10n.t('It belongs to the organization "{0}".', organizationName)]),
    ...(alsoDeleted.length === 0
      ? []
      : [vscode.l10n.t('Deleted with it: {0}.', alsoDeleted.join(', '))]),
    vscode.l10n.t('This cannot be undone. Type "{0}" to confirm.', expected),
  ];
  await confirmByName({
    title: `${title} "${shown}"`,
    prompt: sentences.join(' '),
    name: expected,
  });
}
