import * as vscode from 'vscode';
import { type BaseUrlProblem, parseBaseUrl } from '../../../core/model/baseUrl';
import { isKeyId } from '../../../core/model/credentials';
import type { InputProblem } from '../../platform/prompts';

/** Validates a URL as the user types it. */
export function baseUrlProblem(text: string): InputProblem | undefined {
  const parsed = parseBaseUrl(text);
  if (!parsed.ok) return { message: baseUrlMessage(parsed.problem), severity: 'error' };
  if (!parsed.keyTravelsInClear) return undefined;
  const message = vscode.l10n.t(
    'Without TLS, the API key is sent unencrypted. Use https:// if you can.',
  );
  return { message, severity: 'warning' };
}

export function keyIdProblem(text: string): InputProblem | undefined {
  if (isKeyId(text.trim())) return undefined;
  const message =
    text.trim() === ''
      ? vscode.l10n.t('Enter the ID of the API key.')
      : vscode.l10n.t('A key ID looks like 0b2f6f1c-7a41-4d2e-9a55-0c8f1e6d4b3a.');
  return { message, severity: 'error' };
}

export function keyProblem(text: string): InputProblem | undefined {
  const key = text.trim();
  if (key === '') return { message: vscode.l10n.t('Enter the API key.'), severity: 'error' };
  if (/\s/.test(key)) {
    return {
      message: vscode.l10n.t("A key can't contain spaces or line breaks."),
      severity: 'error',
    };
  }
  return isKeyId(key)
    ? {
        message: vscode.l10n.t('This looks like a key ID, not a key.'),
        severity: 'warning',
      }
    : undefined;
}

function baseUrlMessage(problem: BaseUrlProblem): string {
  switch (problem) {
    case 'empty':
      return vscode.l10n.t(
        'Enter the address of the service, for example https://fleet.example.com.',
      );
    case 'malformed':
      return vscode.l10n.t('Enter a valid URL, for example https://fleet.example.com.');
    case 'scheme':
      return vscode.l10n.t('The address must begin with https:// or http://.');
    case 'credentials':
      return vscode.l10n.t("The URL can't contain a user name or password.");
    case 'path':
      return vscode.l10n.t('Enter only the scheme, host, and port. Remove the path.');
  }
}
