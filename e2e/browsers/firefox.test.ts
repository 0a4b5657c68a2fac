import { openFirefox } from './firefox.ts';
import { sizes } from './chromium.ts';
import { walkThrough } from './walks.ts';

walkThrough('firefox', openFirefox, sizes.desktop);
