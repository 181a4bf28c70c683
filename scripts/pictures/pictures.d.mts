export declare const PICTURES: Readonly<Record<string, () => Promise<string>>>;
