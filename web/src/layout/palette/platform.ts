/** True if Command replaces Control. */
export const isMac = /mac|iphone|ipad/i.test(navigator.platform);
