type Keys = { ctrlKey: boolean; metaKey: boolean; altKey: boolean };

/** True for a shortcut of the browser or the system, which the page leaves alone. */
export const hasModifier = ({ ctrlKey, metaKey, altKey }: Keys): boolean => ctrlKey || metaKey || altKey;
