import { type CloudLibrary, cloudLibraryKey, type CloudViewer } from '../data/clouds/cloudViewer';
import { CloudPicture } from './cloudPicture';
import { readCloud } from './readCloud';

const library: CloudLibrary = {
  read: readCloud,
  createViewer: (onLost): CloudViewer | undefined => {
    try {
      return new CloudPicture(onLost);
    } catch {
      // There is no WebGL here: the caller says so, and shows what can be said in words.
      return undefined;
    }
  },
};

Object.assign(globalThis, { [cloudLibraryKey]: library });
