import * as vscode from 'vscode';
import type { ItemStrings } from '../../../../shared/data/itemStrings';

export function itemStrings(): ItemStrings {
  return {
    loading: vscode.l10n.t('Loading…'),
    reading: vscode.l10n.t('Reading {0} of {1}…'),
    failed: vscode.l10n.t('Could not be read: {0}'),
    retry: vscode.l10n.t('Retry'),
    empty: vscode.l10n.t('Nothing here matches the filter.'),
    emptyHint: vscode.l10n.t('Widen the filter, or upload something.'),
    lists: {
      images: vscode.l10n.t('Images'),
      pointClouds: vscode.l10n.t('Point Clouds'),
      files: vscode.l10n.t('Files'),
    },
    columns: {
      name: vscode.l10n.t('Name'),
      time: vscode.l10n.t('Time'),
      origin: vscode.l10n.t('Captured By'),
      size: vscode.l10n.t('Size'),
      tags: vscode.l10n.t('Tags'),
      datasets: vscode.l10n.t('Datasets'),
    },
    tools: {
      label: vscode.l10n.t('How items are shown'),
      size: vscode.l10n.t('Thumbnail size'),
      sizes: {
        small: vscode.l10n.t('Small'),
        medium: vscode.l10n.t('Medium'),
        large: vscode.l10n.t('Large'),
      },
      boxes: vscode.l10n.t('Boxes'),
      boxesHint: vscode.l10n.t('Draw the boxes of images over their thumbnails'),
      selectAll: vscode.l10n.t('Select All'),
      selectNothing: vscode.l10n.t('Select Nothing'),
    },
    tile: {
      waiting: vscode.l10n.t('Reading…'),
      large: vscode.l10n.t('Large image · open to see it'),
      broken: vscode.l10n.t('Not a picture that can be shown'),
      gone: vscode.l10n.t('Deleted meanwhile'),
      failed: vscode.l10n.t('Could not be read · open to see why'),
      oneTag: vscode.l10n.t('1 tag'),
      tags: vscode.l10n.t('{0} tags'),
      oneBox: vscode.l10n.t('1 box'),
      boxes: vscode.l10n.t('{0} boxes'),
    },
    selectedOne: vscode.l10n.t('1 selected'),
    selected: vscode.l10n.t('{0} selected'),
    selectedNone: vscode.l10n.t('Nothing selected'),
  };
}
