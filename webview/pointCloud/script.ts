import { type CloudLibrary, cloudLibraryKey, type CloudViewer } from '../data/clouds/cloudViewer';
import { CloudRenderer } from './cloudRenderer';
import { readCloud } from './readCloud';

const library: CloudLibrary = {
  read: readCloud,
  createViewer: (onLost): CloudViewer | undefined => {
    try {
      return new CloudRenderer(onLost);
    } catch {
      // WebGL isn't available. The caller notifies the user and shows the information as text.
      return undefined;
    }
  },
};

Object.assign(globalThis, { [cloudLibraryKey]: library });
