import * as vscode from 'vscode';
import { type RegistryItemId, registryItemId } from '../../../core/model/ids';
import { promptForText } from './prompts';

const ITEM_ID = /^[^:\s]+:[^:\s]+$/;

/**
 * Prompts for the ID of a registry item, such as a public item that isn't listed. Throws `canceled`
 * if the user dismisses the box.
 */
export async function promptForItemId(title: string, prompt: string): Promise<RegistryItemId> {
  const id = await promptForText({
    title,
    prompt,
    validate: (value) =>
      ITEM_ID.test(value.trim())
        ? undefined
        : {
            message: vscode.l10n.t('Enter a namespace, a colon, and a name.'),
            severity: 'incomplete',
          },
  });
  return registryItemId(id.trim());
}
