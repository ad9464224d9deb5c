import * as vscode from 'vscode';
import type { DataStrings } from '../../../shared/data/dataStrings';
import { getRecoveryLabels } from '../../platform/wayOut';
import { actionStrings } from './actions/actionStrings';
import { boxStrings } from './boxes/boxStrings';
import { cloudStrings } from './clouds/cloudStrings';
import { dropStrings } from './drops/dropStrings';
import { filterStrings } from './filter/filterStrings';
import { itemStrings } from './items/itemStrings';
import { readingStrings } from './readings/readingStrings';
import { proposalStrings } from './trials/proposalStrings';
import { trialStrings } from './trials/trialStrings';

/** Returns the localized strings of the panel. The webview fills in the placeholders. */
export function dataStrings(): DataStrings {
  return {
    frame: {
      tabs: vscode.l10n.t('Data types'),
      tabNames: {
        images: vscode.l10n.t('Images'),
        pointClouds: vscode.l10n.t('Point Clouds'),
        files: vscode.l10n.t('Files'),
        readings: vscode.l10n.t('Readings'),
      },
      refresh: vscode.l10n.t('Refresh'),
      clearFilter: vscode.l10n.t('Clear Filter'),
      changed: vscode.l10n.t('Data has changed. Other items might match now.'),
      counting: vscode.l10n.t('Counting…'),
      notCounted: vscode.l10n.t("Couldn't count the items: {0}"),
      ways: getRecoveryLabels(),
    },
    filter: filterStrings(),
    items: itemStrings(),
    actions: actionStrings(),
    boxes: boxStrings(),
    readings: readingStrings(),
    clouds: cloudStrings(),
    drops: dropStrings(),
    trials: trialStrings(),
    proposals: proposalStrings(),
  };
}
