import { CommandError, systemErrorCode } from './commandError';

/** What was to be listened on, and the options that say so. */
interface Wanted {
  host: string;
  port: number;
  hostOption: string;
  portOption: string;
}

/** Says what to do when an address cannot be listened on; other errors stay what they are. */
export function listenFailure(
  error: unknown,
  { host, port, hostOption, portOption }: Wanted,
): unknown {
  const code = systemErrorCode(error);
  switch (code) {
    case 'EADDRINUSE':
      return new CommandError(
        `port ${port} of ${host} is used by another program; end it, or choose another port ` +
          `with ${portOption} (0 takes any free one)`,
      );
    case 'EACCES':
      return new CommandError(
        `this user may not listen on port ${port} of ${host}; choose one above 1023 with ${portOption}`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new CommandError(
        `${host} is no address of this machine (${code}); choose another with ${hostOption}`,
      );
    default:
      return error;
  }
}
