/** Of a video job. */
export const VIDEO_ID = /^vid_[0-9a-hjkmnp-tv-z]{26}$/;
