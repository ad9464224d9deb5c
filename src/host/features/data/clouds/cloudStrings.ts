import * as vscode from 'vscode';
import type { CloudStrings } from '../../../../shared/data/cloudStrings';

/** What the view of a point cloud says, in the language of VS Code. The webview fills in what is in braces. */
export function cloudStrings(): CloudStrings {
  return {
    view: vscode.l10n.t('Point cloud {0}'),
    viewRole: vscode.l10n.t('3D view'),
    loading: vscode.l10n.t('Loading the point cloud…'),
    reading: vscode.l10n.t('Loading the point cloud… {0}'),
    shown: vscode.l10n.t('{0} points'),
    someShown: vscode.l10n.t('Showing {0} of {1} points, chosen evenly'),
    partShown: vscode.l10n.t('{0} of {1} points'),
    toolbar: vscode.l10n.t('View of the point cloud'),
    colorBy: vscode.l10n.t('Color by'),
    colorings: {
      height: vscode.l10n.t('Height'),
      intensity: vscode.l10n.t('Intensity'),
      rgb: vscode.l10n.t('RGB'),
    },
    views: {
      label: vscode.l10n.t('View from'),
      whole: vscode.l10n.t('Reset View'),
      top: vscode.l10n.t('Top'),
      front: vscode.l10n.t('Front'),
      side: vscode.l10n.t('Side'),
    },
    pointSize: vscode.l10n.t('Point size'),
    pixels: vscode.l10n.t('{0} px'),
    grid: vscode.l10n.t('Grid and Axes'),
    gridStep: vscode.l10n.t('Grid lines every {0} m'),
    meters: vscode.l10n.t('{0} m'),
    scale: vscode.l10n.t('{0}: from {1} to {2}'),
    wholeScale: vscode.l10n.t('(all values: {0} to {1})'),
    facts: {
      label: vscode.l10n.t('About the point cloud'),
      points: vscode.l10n.t('Points'),
      size: vscode.l10n.t('Size'),
      sizeValue: vscode.l10n.t('{0} × {1} × {2} m'),
      extent: vscode.l10n.t('Extent'),
      extentValue: vscode.l10n.t('{0} from {1} to {2} m'),
      fields: vscode.l10n.t('Fields'),
      encoding: vscode.l10n.t('Encoding'),
      withoutPlace: vscode.l10n.t('Points without a place'),
    },
    help: {
      open: vscode.l10n.t('3D view shortcuts'),
      label: vscode.l10n.t('3D view shortcuts'),
      keys: vscode.l10n.t('Keys'),
      does: vscode.l10n.t('What they do'),
      orbit: vscode.l10n.t('Turn the view'),
      pan: vscode.l10n.t('Move the view'),
      zoom: vscode.l10n.t('Zoom in or out'),
      views: vscode.l10n.t('Reset the view; look from the top, the front, the side'),
      coloring: vscode.l10n.t('Color by something else'),
      pointSize: vscode.l10n.t('Smaller, larger points'),
      grid: vscode.l10n.t('Show or hide the grid and the axes'),
      help: vscode.l10n.t('Show or hide this table'),
      mouse: vscode.l10n.t('Mouse'),
      mouseDoes: vscode.l10n.t('Drag to turn, drag with the right button to move, scroll to zoom'),
    },
    noWebGl: vscode.l10n.t(
      'This computer cannot draw in 3D here (WebGL is not available), so the point cloud is only described in words.',
    ),
    lost: vscode.l10n.t('The graphics processor was reset, so the picture is gone.'),
    retry: vscode.l10n.t('Draw Again'),
    noScript: vscode.l10n.t(
      'The viewer for point clouds could not be loaded from the extension. Open the item again.',
    ),
    failed: vscode.l10n.t('The point cloud could not be shown: {0}'),
    noPoints: vscode.l10n.t('The file has no points that have a place.'),
    partly: vscode.l10n.t('Only a part is shown. {0}'),
    problems: {
      notPcd: vscode.l10n.t('This is not a PCD file: there is no PCD header at its start.'),
      missingLine: vscode.l10n.t('The header of the file has no line {0}.'),
      badLine: vscode.l10n.t(
        'The line {0} in the header of the file says something that PCD files cannot have.',
      ),
      differentLengths: vscode.l10n.t(
        'The line {0} in the header of the file has {1} values for {2} fields.',
      ),
      pointsDisagree: vscode.l10n.t(
        'The header of the file says that there are {0} points, but also {1} × {2} of them.',
      ),
      noPlaces: vscode.l10n.t(
        "The file doesn't have the fields x, y, and z, so its points have no positions.",
      ),
      unreadableField: vscode.l10n.t(
        'The field {0} of the file has values of a kind that cannot be read.',
      ),
      tooLarge: vscode.l10n.t(
        'The points take {0} MB decompressed; at most {1} MB can be shown. Download the file instead.',
      ),
      sizeDisagrees: vscode.l10n.t(
        'The file says that its points are {0} bytes decompressed; by its header they are {1}.',
      ),
      truncated: vscode.l10n.t('The file ends after {0} of {1} points.'),
      truncatedBytes: vscode.l10n.t(
        'The file ends after {0} of {1} bytes of its compressed points.',
      ),
      damaged: vscode.l10n.t('The compressed points of the file are damaged.'),
      badPoint: vscode.l10n.t('Point {0} of {1} has too few values.'),
    },
  };
}
