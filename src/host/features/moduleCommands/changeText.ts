import * as vscode from 'vscode';
import { displayText } from '../../../core/model/displayText';
import type { FragmentVisibility } from '../../../core/model/entities';
import type { ModuleChange } from '../../../core/modules/update/moduleChanges';
import { namesText } from '../../platform/listText';
import { visibilityText } from '../../platform/registryText';

const LONGEST_VALUE = 80;

/** Formats a module change of an update on one line. */
export function changeText(change: ModuleChange): string {
  if ('added' in change) return listChangeText(change);
  const { field, before, after } = change;
  const name = fieldName(field);
  if (field === 'markdown') {
    return vscode.l10n.t('{0}: {1} lines → {2}', name, linesOf(before), linesOf(after));
  }
  const [from, to] = [before, after].map((value) => valueText(field, value));
  return vscode.l10n.t('{0}: {1} → {2}', name, from ?? '', to ?? '');
}

function listChangeText({
  field,
  added,
  removed,
  changed,
}: Extract<ModuleChange, { readonly added: unknown }>): string {
  const parts = [
    ...(added.length > 0 ? [vscode.l10n.t('new: {0}', namesText(added))] : []),
    ...(changed.length > 0 ? [vscode.l10n.t('changed: {0}', namesText(changed))] : []),
    ...(removed.length > 0 ? [vscode.l10n.t('removed: {0}', namesText(removed))] : []),
  ];
  return vscode.l10n.t('{0}: {1}', fieldName(field), parts.join('; '));
}

function fieldName(field: ModuleChange['field']): string {
  switch (field) {
    case 'visibility':
      return vscode.l10n.t('Visibility');
    case 'url':
      return vscode.l10n.t('Website');
    case 'description':
      return vscode.l10n.t('Description');
    case 'entrypoint':
      return vscode.l10n.t('Entrypoint');
    case 'firstRun':
      return vscode.l10n.t('First run');
    case 'markdown':
      return vscode.l10n.t('Long description');
    case 'models':
      return vscode.l10n.t('Models');
    case 'apps':
      return vscode.l10n.t('Apps');
  }
}

function valueText(field: ModuleChange['field'], value: string): string {
  if (field === 'visibility') return visibilityText(value as FragmentVisibility);
  return value === ''
    ? vscode.l10n.t('nothing')
    : vscode.l10n.t('"{0}"', displayText(value, LONGEST_VALUE));
}

function linesOf(text: string): number {
  return text === '' ? 0 : text.trimEnd().split('\n').length;
}
