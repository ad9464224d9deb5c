import * as vscode from 'vscode';
import type { BoxStrings } from '../../../../shared/data/boxes';

/** Returns the strings of the image view. The webview fills in the placeholders. */
export function boxStrings(): BoxStrings {
  return {
    picture: vscode.l10n.t('Image: {0}'),
    loading: vscode.l10n.t('Loading…'),
    tools: vscode.l10n.t('Image tools'),
    fit: vscode.l10n.t('Fit'),
    actualSize: vscode.l10n.t('100%'),
    zoomIn: vscode.l10n.t('Zoom In'),
    zoomOut: vscode.l10n.t('Zoom Out'),
    size: vscode.l10n.t('{0} × {1} pixels'),
    drawBox: vscode.l10n.t('Draw Box'),
    undo: vscode.l10n.t('Undo'),
    redo: vscode.l10n.t('Redo'),
    keys: vscode.l10n.t('Shortcuts'),
    readOnly: vscode.l10n.t("This key doesn't have permission to change boxes."),
    saving: vscode.l10n.t('Saving…'),
    saved: vscode.l10n.t('Saved'),
    notSavedOne: vscode.l10n.t('{0} box not saved'),
    notSaved: vscode.l10n.t('{0} boxes not saved'),
    listOne: vscode.l10n.t('{0} box'),
    list: vscode.l10n.t('{0} boxes'),
    noBoxes: vscode.l10n.t('No boxes yet.'),
    noBoxesHint: vscode.l10n.t('Drag over the image, or focus it and press B.'),
    description: vscode.l10n.t('{0}: left {1}, top {2}, {3} × {4}'),
    confidence: vscode.l10n.t('{0}% confidence'),
    label: vscode.l10n.t('Label'),
    labelDefault: vscode.l10n.t('Label (Enter for {0})'),
    labelNeeded: vscode.l10n.t('A box needs a label.'),
    labels: vscode.l10n.t('Labels'),
    showLabels: vscode.l10n.t('Show labels on boxes'),
    isolate: vscode.l10n.t('Show boxes with one label'),
    allLabels: vscode.l10n.t('All labels'),
    labelCount: vscode.l10n.t('{0} ({1})'),
    labelKey: vscode.l10n.t('{0}: {1}'),
    left: vscode.l10n.t('Left'),
    top: vscode.l10n.t('Top'),
    width: vscode.l10n.t('Width'),
    height: vscode.l10n.t('Height'),
    changeLabel: vscode.l10n.t('Change Label'),
    zoomToBox: vscode.l10n.t('Zoom to Box'),
    deleteBox: vscode.l10n.t('Delete Box'),
    close: vscode.l10n.t('Close'),
    selected: vscode.l10n.t('{0} selected'),
    added: vscode.l10n.t('{0} added'),
    deleted: vscode.l10n.t('{0} deleted'),
    drawing: vscode.l10n.t(
      'New box: arrow keys move it, Alt+arrow keys resize it, Enter labels it, and Escape discards it.',
    ),
    failed: vscode.l10n.t("Couldn't save {0}: {1}"),
    deleteFailed: vscode.l10n.t("Couldn't delete {0}: {1}"),
    halfDone: vscode.l10n.t(
      "Couldn't finish changing {0}. The new box is saved, but the old one still exists. {1}",
    ),
    retry: vscode.l10n.t('Retry'),
    retryAll: vscode.l10n.t('Retry All'),
    discard: vscode.l10n.t('Discard Change'),
    finish: vscode.l10n.t('Finish (Remove Old Box)'),
    rollBack: vscode.l10n.t('Roll Back (Remove New Box)'),
    leaveUnsaved: vscode.l10n.t(
      'Not all changes to this image are saved. Retry or discard them, or leave anyway. You can finish partial changes when you open the image again.',
    ),
    leaveAnyway: vscode.l10n.t('Leave Anyway'),
    boxesFailed: vscode.l10n.t("Couldn't load the boxes of this image: {0}"),
    states: {
      saved: vscode.l10n.t('saved'),
      saving: vscode.l10n.t('saving'),
      failed: vscode.l10n.t('not saved'),
      half: vscode.l10n.t('partially saved'),
    },
    unavailable: {
      reading: vscode.l10n.t("Couldn't read the image: {0}"),
      notPicture: vscode.l10n.t(
        'This is not a valid image. Its content is neither PNG nor JPEG, regardless of its name.',
      ),
      tooLarge: vscode.l10n.t(
        'This image of {0} × {1} pixels is too large to show. The maximum is {2} megapixels. Download it to view it in another program.',
      ),
      broken: vscode.l10n.t("This image is damaged and can't be shown. Download it to inspect it."),
      cutOff: vscode.l10n.t('This image is incomplete: its end is missing.'),
      partial: vscode.l10n.t(
        'Partial image: the file is truncated, and the rest of the image is missing.',
      ),
    },
    help: helpStrings(),
  };
}

function helpStrings(): BoxStrings['help'] {
  return [
    { keys: '+  −', does: vscode.l10n.t('Zoom in and out (or use the mouse wheel)') },
    { keys: '0  A', does: vscode.l10n.t('Fit the image to the view, or show it at actual size') },
    {
      keys: '← → ↑ ↓',
      does: vscode.l10n.t('Move the view; with a box selected, move the box'),
    },
    { keys: 'Shift+← → ↑ ↓', does: vscode.l10n.t('Move in larger steps') },
    {
      keys: 'Alt+← → ↑ ↓',
      does: vscode.l10n.t('Resize the selected box (with Shift, in larger steps)'),
    },
    {
      keys: 'Tab  Shift+Tab',
      does: vscode.l10n.t('Next or previous box; after the last box, leave the image'),
    },
    {
      keys: 'B',
      does: vscode.l10n.t('Draw a box in the center of the visible area (or drag on the image)'),
    },
    { keys: '1 – 9', does: vscode.l10n.t('Assign the label with this number to the box') },
    { keys: 'Enter', does: vscode.l10n.t('Type a label for the box') },
    { keys: 'Delete', does: vscode.l10n.t('Delete the box') },
    { keys: 'Z', does: vscode.l10n.t('Zoom to the box') },
    { keys: 'L', does: vscode.l10n.t('Show or hide the labels on boxes') },
    {
      keys: 'I',
      does: vscode.l10n.t(
        'Show only boxes with the label of the selected box (press again to show all)',
      ),
    },
    { keys: 'Ctrl+Z  Ctrl+Y', does: vscode.l10n.t('Undo or redo') },
    {
      keys: 'Space',
      does: vscode.l10n.t('Hold and drag to move the view, or use the middle mouse button'),
    },
    {
      keys: 'Click',
      does: vscode.l10n.t(
        'Select the smallest box (click again for the next one under the pointer)',
      ),
    },
    {
      keys: 'Escape',
      does: vscode.l10n.t(
        'Cancel the current action, then clear the selection, then close the image',
      ),
    },
    { keys: '?', does: vscode.l10n.t('Show or hide these shortcuts') },
  ];
}
