// `npm run openapi:types` writes this file.
export interface StoredFile {
    /**
     * @description Which form the response has: that of Genway, or that of one of two providers’ file APIs.
     * @enum {string}
     */
    _shape: "native" | "openrouter";
    /** @description Unique identifier of the object. */
    id: string;
    /**
     * @description The type of the object.
     * @constant
     */
    type: "file";
    /** @description Name of the file, as it was uploaded. */
    filename: string;
    /** @description Found in the bytes, never in the name. */
    mime_type: string;
    /** @description Size in bytes. */
    size_bytes: number;
    /**
     * Format: date-time
     * @description Time of creation, in ISO 8601 (UTC).
     */
    created_at: string;
    /** @description Whether you can download the content. `false` for some files that a provider stores. */
    downloadable: boolean;
    /**
     * Format: date-time
     * @description From when on it is there for nobody.
     */
    expires_at?: string;
}

export interface VideoRequest {
    /** @description A model of `GET /videos/models`, or one of its endpoints, which then serves it. */
    model: string;
    /** @description What the video shows. */
    prompt: string;
    /**
     * @description Width to height. The model has a default.
     * @enum {string}
     */
    aspect_ratio?: "16:9" | "9:16" | "1:1" | "4:3" | "3:4" | "3:2" | "2:3" | "21:9" | "9:21";
    /**
     * @description `720p` has a shorter side of 720 pixels. The model has a default.
     * @enum {string}
     */
    resolution?: "360p" | "480p" | "720p" | "768p" | "1080p" | "1K" | "2K" | "4K";
    /** @description `WIDTHxHEIGHT` in pixels; says the same as `resolution` and `aspect_ratio` together. */
    size?: string;
    /** @description In seconds. The model says which it takes, and has a default. */
    duration?: number;
    /** @description The same seed and parameters should produce the same video. Not every provider guarantees it. */
    seed?: number;
    /** @description Whether the video has sound. The model has a default. */
    generate_audio?: boolean;
    /** @description Images that the video begins or ends with, at most one of each. With them, `input_references` have no effect. */
    frame_images?: {
        /**
         * @description Always `image_url`.
         * @constant
         */
        type: "image_url";
        /** @description An image. */
        image_url: {
            /** @description An https URL, a `data:image/…;base64` URL, the id of an uploaded file, or that of a completed video: its last frame. */
            url: string;
        };
        /**
         * @description Whether the image is the first or the last frame of the video.
         * @enum {string}
         */
        frame_type: "first_frame" | "last_frame";
    }[];
    /** @description Images, sounds and clips that the video should resemble, as far as the model takes them. */
    input_references?: ({
        /**
         * @description The kind of the reference, which is also the name of the field that holds it.
         * @constant
         */
        type: "image_url";
        /** @description An image. */
        image_url: {
            /** @description An https URL, a `data:image/…;base64` URL, the id of an uploaded file, or that of a completed video: its last frame. */
            url: string;
        };
    } | {
        /**
         * @description The kind of the reference, which is also the name of the field that holds it.
         * @constant
         */
        type: "audio_url";
        /** @description An audio clip. */
        audio_url: {
            /** @description An https URL, the id of an uploaded file, or that of a completed video. */
            url: string;
        };
    } | {
        /**
         * @description The kind of the reference, which is also the name of the field that holds it.
         * @constant
         */
        type: "video_url";
        /** @description A video. */
        video_url: {
            /** @description An https URL, the id of an uploaded file, or that of a completed video. */
            url: string;
        };
    })[];
    /** @description A completed video of the same workspace to go on with, in place of frames and references. Models with `supported_continuations` take one, whichever model has made it. */
    previous_job_id?: string;
    /**
     * @description What becomes of the video that `previous_job_id` names. `extend`: it goes on where it ends, for `duration` seconds. `edit`: it is changed as the prompt says, and stays as long as it is. Without it, it is extended where the model can do that.
     * @enum {string}
     */
    continuation?: "extend" | "edit";
    /** @description Who may serve it, in which order, and what is passed on to the provider. */
    provider?: {
        /** @description Providers, or ids of endpoints, that come first, in this order. */
        order?: string[];
        /** @description No others may serve it. */
        only?: string[];
        /** @description These may not serve it. */
        ignore?: string[];
        /**
         * @description The order of those that `order` does not name: by price, by seconds of video for a second of waiting, by waiting, or by quality (`exacto`). Without it, as the workspace says; else by price.
         * @enum {string}
         */
        sort?: "price" | "throughput" | "latency" | "exacto";
        /**
         * @description `false`: the first one alone may serve it.
         * @default true
         */
        allow_fallbacks?: boolean;
        /** @description The most that this request may cost, in USD. */
        max_price?: number | {
            /** @description In USD, with at most 6 decimals. */
            request: number;
        };
        /** @description Settings by provider, at most 32 KiB; those of the provider that serves it are passed on. */
        options?: {
            [key: string]: {
                [key: string]: unknown;
            };
        };
    };
    /**
     * Format: uri
     * @description The address that receives a webhook when the job ends. It must be an https URL of a public host, at most 2,048 characters long. Defaults to the default callback URL of the workspace.
     */
    callback_url?: string;
    /** @description Strings of your own, given back with the job and its webhook. */
    metadata?: {
        [key: string]: string;
    };
    /** @description Your own id of your user, for reports, logs and traces. Never sent to a provider. */
    user?: string;
    /** @description Groups requests in logs and traces; wins over the header `x-session-id`. Never sent to a provider. */
    session_id?: string;
    /** @description For the traces of a workspace that broadcasts: `trace_id`, `parent_span_id`, `trace_name`, `span_name`, `generation_name`, and attributes of your own. Never sent to a provider. */
    trace?: {
        [key: string]: unknown;
    };
    /** @description The id or the slug of a workspace; without it, that of the key. A management key may name any. */
    workspace_id?: string;
}

export interface Video {
    /** @description Unique identifier of the object. */
    id: string;
    /** @description `/api/v1/videos/<id>`. */
    polling_url: string;
    /**
     * @description The last four are final.
     * @enum {string}
     */
    status: "pending" | "in_progress" | "completed" | "failed" | "cancelled" | "expired";
    /** @description As the submit named it. */
    model: string;
    /** @description Who serves it; who will, while it is pending. */
    provider?: string;
    /**
     * Format: date-time
     * @description Time of creation, in ISO 8601 (UTC).
     */
    created_at: string;
    /** @description The price at the provider that Genway tries first, in USD. */
    estimated_cost: number;
    /** @description The highest price among the providers that may serve the job, in USD. Genway holds this amount, and the job never costs more. */
    max_cost: number;
    /** @description As the submit sent it. */
    metadata?: {
        [key: string]: string;
    };
    /** @description As the submit sent it. */
    user?: string;
    /** @description As the submit sent it. */
    session_id?: string;
    /** @description As the submit sent it; what is neither text nor number nor true or false, as JSON. */
    trace?: {
        [key: string]: string | number | boolean;
    };
    /** @description What to know of the request although it was accepted. */
    warnings?: string[];
    /** @description Why no provider has taken it yet, and when it goes on. */
    waiting_for?: {
        /**
         * @description What the job waits for. More reasons may follow.
         * @enum {string}
         */
        reason: "provider_paused" | "provider_busy" | "rate_limit" | "provider_unavailable" | "confirmation" | "input";
        /**
         * Format: date-time
         * @description Time of the next try, in ISO 8601 (UTC).
         */
        until: string;
        /** @description Why its latest submit failed. */
        error?: string;
    };
    /** @description From the provider’s acceptance on. */
    generation_id?: string;
    /**
     * Format: date-time
     * @description When you asked to cancel it, until its provider confirms.
     */
    cancel_requested_at?: string;
    /** @description In percent, as the provider says. Renewed every minute, and with every ten percent. */
    progress?: number;
    /** @description Why it failed. */
    error?: string;
    /** @description Why the job failed, for programs. */
    error_details?: {
        /**
         * @description The kind of failure. More kinds may follow.
         * @enum {string}
         */
        type: "moderation" | "provider" | "input" | "timeout" | "cancelled" | "internal";
        /** @description Why the job failed, for people. */
        message: string;
        /** @description Whether the same submit may succeed another time. */
        retryable: boolean;
    };
    /** @description The results, once it is completed. They need the key. */
    unsigned_urls?: string[];
    /** @description The videos, in the order of `unsigned_urls`. */
    outputs?: {
        /**
         * @description Media type, such as `video/mp4`.
         * @constant
         */
        content_type: "video/mp4";
        /** @description Size in bytes. */
        size_bytes: number;
        /** @description In hexadecimal digits. */
        sha256: string;
        /** @description In pixels, as the video itself says. */
        width?: number;
        /** @description Height in pixels. */
        height?: number;
        /** @description In seconds, as the video itself says. */
        duration?: number;
    }[];
    /**
     * Format: date-time
     * @description From when on the results are gone.
     */
    content_expires_at?: string;
    /** @description What the job cost. */
    usage?: {
        /** @description What it has cost, in USD. */
        cost: number;
        /** @description Whether it ran on a provider key of the workspace. */
        is_byok: boolean;
    };
    /**
     * Format: date-time
     * @description Time at which the job ended, in ISO 8601 (UTC). Null or absent while it runs.
     */
    completed_at?: string;
    /** @description Signed links to the results, valid for an hour without a key. Never in a webhook. */
    urls?: string[];
    /** @description Signed links to the first frame of each result as a JPEG, valid for an hour without a key. An entry is null if the result cannot be decoded. Absent until the thumbnails exist, seconds after the job ends. Never in a webhook. */
    thumbnail_urls?: (string | null)[];
}

export interface VideoGenerationCompletedEvent {
    /**
     * @description The type of the object.
     * @constant
     */
    type: "video.generation.completed";
    /**
     * Format: date-time
     * @description Time at which the job ended or the test was sent, in ISO 8601 (UTC).
     */
    timestamp: string;
    /** @description The result: an object, or the items of this page. */
    data: Video & {
        /**
         * Format: uuid
         * @description ID of the workspace (a UUID).
         */
        workspace_id: string;
    };
}

export interface VideoGenerationFailedEvent {
    /**
     * @description The type of the object.
     * @constant
     */
    type: "video.generation.failed";
    /**
     * Format: date-time
     * @description Time at which the job ended or the test was sent, in ISO 8601 (UTC).
     */
    timestamp: string;
    /** @description The result: an object, or the items of this page. */
    data: Video & {
        /**
         * Format: uuid
         * @description ID of the workspace (a UUID).
         */
        workspace_id: string;
    };
}

export interface VideoGenerationCancelledEvent {
    /**
     * @description The type of the object.
     * @constant
     */
    type: "video.generation.cancelled";
    /**
     * Format: date-time
     * @description Time at which the job ended or the test was sent, in ISO 8601 (UTC).
     */
    timestamp: string;
    /** @description The result: an object, or the items of this page. */
    data: Video & {
        /**
         * Format: uuid
         * @description ID of the workspace (a UUID).
         */
        workspace_id: string;
    };
}

export interface VideoGenerationExpiredEvent {
    /**
     * @description The type of the object.
     * @constant
     */
    type: "video.generation.expired";
    /**
     * Format: date-time
     * @description Time at which the job ended or the test was sent, in ISO 8601 (UTC).
     */
    timestamp: string;
    /** @description The result: an object, or the items of this page. */
    data: Video & {
        /**
         * Format: uuid
         * @description ID of the workspace (a UUID).
         */
        workspace_id: string;
    };
}

export interface WebhookTestEvent {
    /**
     * @description The type of the object.
     * @constant
     */
    type: "webhook.test";
    /**
     * Format: date-time
     * @description Time at which the job ended or the test was sent, in ISO 8601 (UTC).
     */
    timestamp: string;
    /** @description The result: an object, or the items of this page. */
    data: {
        /**
         * Format: uuid
         * @description ID of the workspace (a UUID).
         */
        workspace_id: string;
    };
}
