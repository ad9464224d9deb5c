import * as vscode from 'vscode';
import { type ConfigState, getConfigStage } from '../../../core/model/contractExtensions';

/**
 * Formats the progress of a config for a list; empty if the machine runs the saved config, as far
 * as it reports that.
 */
export function formatConfigProgress(state: ConfigState | undefined): string {
  switch (state && getConfigStage(state)) {
    case 'saved':
      return vscode.l10n.t('previous config');
    case 'fetched':
      return state?.applied ? vscode.l10n.t('config fetched') : '';
    default:
      return '';
  }
}
